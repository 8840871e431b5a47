/** A look from a place at another, in the model's own units. */
export interface View {
  position: [number, number, number];
  target: [number, number, number];
}

type None = Record<string, never>;

/** What a page may ask for. */
export interface Calls {
  /** Loads the model, as a click would. */
  start(args: None): void;
  "camera.get"(args: None): View;
  "camera.set"(args: Partial<View> & { animate?: boolean }): void;
  "camera.reset"(args: None): void;
  clips(args: None): { name: string; seconds: number }[];
  /** Without a name: the one that is chosen. */
  "clip.play"(args: { name?: string }): void;
  "clip.pause"(args: None): void;
  "clip.seek"(args: { seconds: number }): void;
  /** The first 500 parts that have a name. */
  parts(args: None): { name: string; visible: boolean }[];
  "part.show"(args: { name: string; visible: boolean }): void;
  background(args: { color: string }): void;
  /** Longest side in pixels, at most 4096; answers a WebP picture. */
  screenshot(args: { width?: number }): Blob;
}

export type Args<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
export type Result<Name extends keyof Calls> = ReturnType<Calls[Name]>;

/** What a page is told of. */
export interface Events {
  /** The model is drawn: the first time, and again after it was out of view. */
  ready: { name: string };
  progress: { loaded: number; total: number };
  /** The camera has moved; at most ten times a second. */
  view: View;
  /** Out of view: the WebGL context is given back. */
  away: None;
  error: { message: string };
}

export interface Viewer {
  readonly frame: HTMLIFrameElement;
  /** Fails with what was wrong, or after a minute without an answer. */
  call<Name extends keyof Calls>(name: Name, args?: Args<Name>): Promise<Result<Name>>;
  /** Returns what ends it. */
  on<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): () => void;
  /** Speaks with the frame no more; it stays. */
  close(): void;
  /** The same, and takes the frame out of the page. */
  remove(): void;
}

export interface EmbedOptions {
  /** Address of the share, as the site gives it. */
  url: string;
  /** For those who do not see it; 三维模型 unless said otherwise. */
  title?: string;
}

/** Puts the share into an element, as large as that is. */
export function embed(holder: HTMLElement, options: EmbedOptions): Viewer;

/** Speaks with a frame that the page has already. */
export function connect(frame: HTMLIFrameElement): Viewer;
