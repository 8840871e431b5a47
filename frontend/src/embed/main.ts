import type { Engine } from "./engine";
import { countTime } from "./look";
import { type Manifest, readManifest } from "./manifest";
import { type Handlers, listen } from "./messages";

/**
 * The page of a share. It contains all that is loaded before a visitor opens the model: no React, no engine. The engine is
 * loaded on demand, and its WebGL context is released whenever the page is out of view.
 */

/** How long the page is out of view before its context is released. */
const AWAY_MS = 1_500;

class Page {
  private engine: Engine | undefined;
  private loading: Promise<Engine> | undefined;
  private wanted: boolean;
  private inView = false;
  private away = 0;
  /** of the current load; an increment cancels the previous one */
  private turn = 0;
  /** camera position when the context was released */
  private view: ReturnType<Engine["view"]> | undefined;
  private readonly emit: ReturnType<typeof listen>;

  constructor(
    private readonly manifest: Manifest,
    private readonly stage: HTMLElement,
    private readonly start: HTMLElement,
    private readonly note: HTMLElement,
  ) {
    this.wanted = manifest.options?.autostart === true;
    start.addEventListener("click", () => void this.want().catch(() => undefined));
    this.emit = listen(manifest, this.handlers());
    new IntersectionObserver(([entry]) => this.seen(entry), { threshold: [0, 0.5] }).observe(stage);
  }

  private seen(entry: IntersectionObserverEntry | undefined): void {
    window.clearTimeout(this.away);
    this.inView = entry?.isIntersecting === true;
    if (!this.inView) this.away = window.setTimeout(() => this.leave(), AWAY_MS);
    else if (this.wanted && (entry?.intersectionRatio ?? 0) >= 0.5) void this.want().catch(() => undefined);
  }

  /** Releases the WebGL context. */
  private leave(): void {
    if (!this.loading) return;
    this.turn += 1;
    // A model that was not drawn yet has no view to restore.
    if (document.documentElement.dataset.phase === "ready") this.view = this.engine?.view();
    this.engine?.dispose();
    this.engine = undefined;
    this.loading = undefined;
    document.documentElement.dataset.phase = "away";
    this.emit("away", {});
  }

  private want(): Promise<Engine> {
    this.wanted = true;
    this.start.hidden = true;
    this.loading ??= this.load();
    return this.loading;
  }

  private async load(): Promise<Engine> {
    const turn = this.turn;
    const goOn = () => {
      if (turn !== this.turn) throw new Error("out of view");
    };
    let engine: Engine | undefined;
    try {
      this.note.textContent = "正在载入";
      document.documentElement.dataset.phase = "loading";
      const { Engine } = await import(/* webpackChunkName: "engine" */ "./engine");
      goOn();
      engine = new Engine(this.stage, this.manifest, {
        progress: (loaded, total) => {
          this.note.textContent = total > 0 ? `正在载入 ${Math.round((loaded / total) * 100)}%` : "正在载入";
          this.emit("progress", { loaded, total });
        },
        view: (view) => this.emit("view", view),
      });
      this.engine = engine;
      await engine.open(this.view);
      goOn();
      this.note.textContent = "";
      document.documentElement.dataset.phase = "ready";
      this.emit("ready", { name: this.manifest.name });
      return engine;
    } catch (error) {
      if (turn !== this.turn) throw error;
      engine?.dispose();
      this.engine = undefined;
      this.loading = undefined;
      this.wanted = false;
      this.start.hidden = false;
      const message = error instanceof Error ? error.message : "模型没有载入成功，请刷新重试";
      this.note.textContent = message;
      document.documentElement.dataset.phase = "failed";
      this.emit("error", { message });
      throw error;
    }
  }

  private handlers(): Handlers {
    const engine = () => this.want();
    return {
      start: async () => {
        await engine();
      },
      "camera.get": async () => (await engine()).view(),
      "camera.set": async (args) => (await engine()).look(args),
      "camera.reset": async () => (await engine()).reset(),
      clips: async () => (await engine()).clips(),
      "clip.play": async (args) => (await engine()).play(args),
      "clip.pause": async () => (await engine()).pause(),
      "clip.seek": async (args) => (await engine()).seek(args),
      parts: async () => (await engine()).parts(),
      "part.show": async (args) => (await engine()).show(args),
      background: async (args) => (await engine()).background(args),
      screenshot: async (args) => (await engine()).screenshot(args),
    };
  }
}

const manifest = readManifest(document.getElementById("manifest")?.textContent);
const [stage, start, note] = ["stage", "start", "note"].map((id) => document.getElementById(id));
if (manifest && stage && start && note) {
  new Page(manifest, stage, start, note);
  countTime(manifest);
}
