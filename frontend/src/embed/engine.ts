import { viewerMessages } from "@/viewer/engine/errors";
import { Viewer } from "@/viewer/engine/Viewer";
import { readScene, stagingOf, viewOf } from "@/viewer/scene";
import type { Args, Result, View } from "../../sdk/index.js";
import type { Manifest } from "./manifest";
import { fillTools } from "./tools";

/** Longest side of a picture requested by another page, in pixels. */
const PICTURE = { usual: 1280, most: 4096, least: 16 };
/** Maximum number of parts returned. */
const MOST_PARTS = 500;
/** Milliseconds between two events of a moving camera. */
const VIEW_PAUSE = 100;

interface Listener {
  progress(loaded: number, total: number): void;
  view(view: View): void;
}

const wrong = (what: string) => new Error(`${what} is not right`);

/** The viewer behind the page: its model, its tools, and the calls of other pages. */
export class Engine {
  private readonly viewer: Viewer;
  private readonly close: () => void;

  constructor(
    holder: HTMLElement,
    private readonly manifest: Manifest,
    private readonly listener: Listener,
  ) {
    try {
      // The address expires after 10 minutes; the model may come back into view later.
      this.viewer = new Viewer(holder, "force-cache");
    } catch (error) {
      throw new Error(viewerMessages.unsupported.title, { cause: error });
    }
    this.close = fillTools(this.viewer, manifest);
    let last = 0;
    this.viewer.stage.controls.addEventListener("update", () => {
      const now = performance.now();
      if (now - last < VIEW_PAUSE) return;
      last = now;
      listener.view(this.view());
    });
    this.viewer.stage.controls.addEventListener("rest", () => listener.view(this.view()));
  }

  /** Draws the model; `view` restores a view. Errors: with a message for the user. */
  async open(view?: View): Promise<void> {
    const { model, proxy, options, scene } = this.manifest;
    const { viewer } = this;
    const start = options?.start;
    const staging = stagingOf(readScene(JSON.stringify(scene)));
    viewer.setUp({
      ...staging,
      view: (start && viewOf(start.position, start.target)) ?? staging.view,
      ground: options?.background ? { color: options.background } : staging.ground,
    });
    const stop = viewer.state.subscribe(() => {
      const { phase, loadedBytes, totalBytes, shown } = viewer.state.get();
      if (shown) document.documentElement.dataset.phase = "ready";
      if (phase === "loading") this.listener.progress(loadedBytes, totalBytes || this.manifest.bytes);
    });
    try {
      await viewer.load({ url: model, proxyUrl: proxy || undefined });
    } finally {
      stop();
    }
    const { phase, fault } = viewer.state.get();
    if (phase === "failed") {
      const { title, hint } = viewerMessages[fault ?? "broken"];
      throw new Error(`${title}，${hint}`);
    }
    if (view) this.look({ ...view, animate: false });
  }

  view(): View {
    const { eye, target } = this.viewer.stage.view;
    return { position: [...eye], target: [...target] };
  }

  look({ position, target, animate }: Args<"camera.set">): void {
    const view = viewOf(position ?? this.view().position, target ?? this.view().target);
    if (!view) throw wrong("position or target");
    this.viewer.stage.goTo(view, animate === false ? false : undefined);
  }

  reset(): void {
    this.viewer.stage.reset();
  }

  clips(): Result<"clips"> {
    return this.viewer.animation.state.get().clips.map(({ name, seconds }) => ({ name, seconds }));
  }

  play({ name }: Args<"clip.play">): void {
    const { animation } = this.viewer;
    if (name !== undefined) {
      const at = animation.state.get().clips.findIndex((clip) => clip.name === name);
      if (at < 0) throw wrong("name");
      if (at !== animation.state.get().index) animation.choose(at);
    }
    if (!animation.state.get().playing) animation.toggle();
  }

  pause(): void {
    const { animation } = this.viewer;
    if (animation.state.get().playing) animation.toggle();
  }

  seek({ seconds }: Args<"clip.seek">): void {
    if (!Number.isFinite(seconds)) throw wrong("seconds");
    this.viewer.animation.seek(seconds);
  }

  parts(): Result<"parts"> {
    const parts: Result<"parts"> = [];
    this.viewer.model.traverse(({ name, visible }) => {
      if (name && parts.length < MOST_PARTS) parts.push({ name, visible });
    });
    return parts;
  }

  show({ name, visible }: Args<"part.show">): void {
    let found = false;
    this.viewer.model.traverse((part) => {
      if (part.name !== name || !name) return;
      part.visible = visible !== false;
      found = true;
    });
    if (!found) throw wrong("name");
    this.viewer.stage.shadow.dirty = true;
    this.viewer.stage.invalidate();
  }

  background({ color }: Args<"background">): void {
    if (!/^#[0-9a-f]{6}$/i.test(color)) throw wrong("color");
    this.viewer.stage.setBackdrop({ color });
  }

  screenshot({ width = PICTURE.usual }: Args<"screenshot">): Promise<Blob> {
    if (!Number.isFinite(width)) throw wrong("width");
    return this.viewer.picture(Math.min(PICTURE.most, Math.max(PICTURE.least, Math.round(width))));
  }

  dispose(): void {
    this.close();
    this.viewer.dispose();
  }
}
