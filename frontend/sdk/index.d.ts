/** A camera position and its target, in the model's own units. */
export interface View {
  position: [number, number, number];
  target: [number, number, number];
}

type None = Record<string, never>;

/** Calls that a page may make. */
export interface Calls {
  /** Loads the model, like a click. */
  start(args: None): void;
  "camera.get"(args: None): View;
  "camera.set"(args: Partial<View> & { animate?: boolean }): void;
  "camera.reset"(args: None): void;
  clips(args: None): { name: string; seconds: number }[];
  /** Defaults to the selected clip. */
  "clip.play"(args: { name?: string }): void;
  "clip.pause"(args: None): void;
  "clip.seek"(args: { seconds: number }): void;
  /** The first 500 named parts. */
  parts(args: None): { name: string; visible: boolean }[];
  "part.show"(args: { name: string; visible: boolean }): void;
  background(args: { color: string }): void;
  /** Longest side in pixels, at most 4096; returns a WebP picture. */
  screenshot(args: { width?: number }): Blob;
}

export type Args<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
export type Result<Name extends keyof Calls> = ReturnType<Calls[Name]>;

/** Events that a page receives. */
export interface Events {
  /** The model is drawn: the first time, and again after being out of view. */
  ready: { name: string };
  progress: { loaded: number; total: number };
  /** The camera has moved; at most ten times a second. */
  view: View;
  /** Out of view: the WebGL context is released. */
  away: None;
  error: { message: string };
}

export interface Viewer {
  readonly frame: HTMLIFrameElement;
  /** Rejects with the error, or after a minute without a response. */
  call<Name extends keyof Calls>(name: Name, args?: Args<Name>): Promise<Result<Name>>;
  /** Returns a function that unsubscribes. */
  on<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): () => void;
  /** Disconnects from the frame, which stays. */
  close(): void;
  /** The same, and removes the frame from the page. */
  remove(): void;
}

export interface EmbedOptions {
  /** Address of the share. */
  url: string;
  /** For screen readers; defaults to 三维模型. */
  title?: string;
}

/** Puts the share into an element and fills it. */
export function embed(holder: HTMLElement, options: EmbedOptions): Viewer;

/** Connects to a frame that already exists in the page. */
export function connect(frame: HTMLIFrameElement): Viewer;
