import { Box3, Group, type Object3D, type Plane, Vector2, Vector3 } from "three";
import { AnimationTool } from "../tools/animation";
import { EnvironmentTool } from "../tools/environment";
import { ExplodeTool } from "../tools/explode";
import { GridTool } from "../tools/grid";
import { InspectTool } from "../tools/inspect";
import { MeasureTool } from "../tools/measure";
import { PickingTool } from "../tools/picking";
import { pictureOf, saveImage } from "../tools/screenshot";
import { SectionTool } from "../tools/section";
import { WireframeTool } from "../tools/wireframe";
import { faultOf } from "./errors";
import { disposeTree, type LoadedModel, type LoadProgress, ModelLoader } from "./loader";
import { Picker } from "./picker";
import { boxAround, findPlace, type ModelPlace } from "./places";
import { calm, Stage, type StageView } from "./stage";
import type { Spot, Staging } from "./staging";
import { idle, type ViewerState } from "./state";
import { measureModel } from "./statistics";
import { Store } from "./store";
import type { ToolHost, ViewerTool } from "./tool";

export interface ViewerSources {
  /** the full model */
  url: string;
  /** a coarse copy, shown while the full model is being loaded */
  proxyUrl?: string;
  /** when the user requested it, on the clock of `performance.now()` */
  since?: number;
}

export type { ViewerTool } from "./tool";

/** Pixels a pointer may move and still count as a click. */
const CLICK_SLACK = 4;

export class Viewer implements ToolHost {
  readonly state = new Store<ViewerState>(idle);
  readonly stage: Stage;
  readonly picker = new Picker();
  /** HTML labels that follow points of the scene */
  readonly labels: HTMLDivElement;
  readonly model = new Group();
  clipping: Plane[] = [];

  readonly wireframe: WireframeTool;
  readonly grid: GridTool;
  readonly animation: AnimationTool;
  readonly measure: MeasureTool;
  readonly section: SectionTool;
  readonly explode: ExplodeTool;
  readonly inspect: InspectTool;
  readonly environment: EnvironmentTool;
  private readonly tools: ViewerTool[];

  private readonly frame = document.createElement("div");
  private readonly canvas: HTMLCanvasElement;
  private readonly loader: ModelLoader;
  private current: LoadedModel | undefined;
  private loading = new AbortController();
  private down: { x: number; y: number } | undefined;
  private clip: string | undefined;

  /**
   * @param holder may follow by `attach`; nothing is drawn before
   * @param cache how models are downloaded
   */
  constructor(holder?: HTMLElement, cache: RequestCache = "default") {
    this.frame.style.cssText = "position:absolute;inset:0";
    this.canvas = document.createElement("canvas");
    this.canvas.style.cssText =
      "position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:none";
    this.canvas.setAttribute("aria-hidden", "true");
    this.labels = document.createElement("div");
    this.labels.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    this.frame.append(this.canvas, this.labels);
    holder?.append(this.frame);
    try {
      this.stage = new Stage(this.canvas);
    } catch (error) {
      this.frame.remove();
      throw error;
    }
    this.loader = new ModelLoader(this.stage.renderer, cache);
    this.stage.scene.add(this.model);

    this.wireframe = new WireframeTool(this);
    this.grid = new GridTool(this);
    this.animation = new AnimationTool(this);
    this.measure = new MeasureTool(this);
    this.section = new SectionTool(this);
    this.explode = new ExplodeTool(this);
    this.inspect = new InspectTool(this);
    this.environment = new EnvironmentTool(this);
    this.tools = [
      this.wireframe,
      this.grid,
      this.animation,
      this.measure,
      this.section,
      this.explode,
      this.inspect,
      this.environment,
    ];
    for (const tool of this.tools) if (tool.tick) this.stage.tickers.add((s) => tool.tick?.(s) ?? false);
    this.stage.onLost = () => this.state.set({ phase: "failed", fault: "lost" });
    this.canvas.addEventListener("pointerdown", this.pointerDown);
    this.canvas.addEventListener("pointerup", this.pointerUp);
    this.canvas.addEventListener("pointermove", this.pointerMove);
    this.canvas.addEventListener("dblclick", this.doubleClick);
  }

  attach(holder: HTMLElement): void {
    holder.append(this.frame);
    this.stage.relayout();
  }

  async load({ url, proxyUrl, since = performance.now() }: ViewerSources): Promise<void> {
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    this.clear();
    this.stage.blank();
    this.state.set({ ...idle, phase: "loading" });
    this.stage.refines = false;
    const coarse = (small: LoadedModel) => {
      if (signal.aborted || this.state.get().phase !== "loading" || this.current) disposeTree(small.root);
      else this.showCoarse(small, since, signal);
    };
    // the small copy is loaded first: in parallel both would be late
    if (proxyUrl) await this.loadCoarse(proxyUrl, signal, coarse);
    if (signal.aborted) return;
    try {
      const full = await this.loader.load(url, signal, {
        onCoarse: coarse,
        onProgress: ({ loaded, total }: LoadProgress) =>
          this.state.set({
            loadedBytes: loaded,
            totalBytes: total,
            progress: total > 0 ? Math.min(1, loaded / total) : undefined,
          }),
      });
      await this.showFull(full, since, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.state.set({ phase: "failed", fault: faultOf(error) });
    }
  }

  /** Resolves when the copy's bytes have arrived, or cannot: the full model does not need them. */
  private loadCoarse(url: string, signal: AbortSignal, show: (model: LoadedModel) => void): Promise<void> {
    return new Promise((resolve) => {
      this.loader.load(url, signal, { onReceived: resolve }).then(show, () => resolve());
    });
  }

  private showCoarse(model: LoadedModel, since: number, signal: AbortSignal): void {
    this.show(model, true);
    this.state.set({ shown: true, coarse: true });
    void this.stage.drawn().then(() => {
      if (!signal.aborted) this.state.set({ turnableIn: performance.now() - since });
    });
  }

  private async showFull(full: LoadedModel, since: number, signal: AbortSignal): Promise<void> {
    const statistics = measureModel(full.root, full.counts);
    if (statistics.triangles + statistics.lines + statistics.points === 0) {
      disposeTree(full.root);
      this.state.set({ phase: "failed", fault: "empty" });
      return;
    }
    await this.stage.prepare(full.root);
    if (signal.aborted) {
      disposeTree(full.root);
      return;
    }
    this.stage.refines = true;
    // a user who has turned the copy keeps the view
    this.show(full, this.current === undefined);
    const size = this.stage.bounds.getSize(new Vector3());
    statistics.size = [size.x, size.y, size.z];
    this.state.set({ phase: "ready", progress: 1, statistics, shown: true, coarse: false });
    await this.stage.drawn();
    if (signal.aborted) return;
    const readyIn = performance.now() - since;
    this.state.set({ readyIn, turnableIn: this.state.get().turnableIn ?? readyIn });
  }

  private show(model: LoadedModel, resetCamera: boolean): void {
    this.clear();
    this.current = model;
    this.model.add(model.root);
    this.model.updateMatrixWorld(true);
    for (const tool of this.tools) tool.modelChanged?.(this.model, model.clips);
    this.openClip();
    this.stage.frameSubject([this.model]);
    if (resetCamera) this.stage.reset(false);
    this.stage.invalidate();
  }

  private clear(): void {
    if (!this.current) return;
    for (const tool of this.tools) tool.modelRemoved?.();
    this.model.remove(this.current.root);
    disposeTree(this.current.root);
    this.current = undefined;
  }

  /** Moves the camera to one part, or to the whole model. */
  focus(part?: Object3D): void {
    if (!part) {
      this.stage.reset();
      return;
    }
    this.stage.lookAtBox(new Box3().setFromObject(part, true));
  }

  /** Whether `goTo` can find this place. */
  knows(place: ModelPlace): boolean {
    return findPlace(this.model, place).length > 0;
  }

  /** Moves the camera to a place in a report, and marks it. */
  goTo(place: ModelPlace): boolean {
    const found = findPlace(this.model, place);
    const box = boxAround(found);
    if (!box) return false;
    this.stage.lookAtBox(box);
    this.inspect.mark(box);
    return true;
  }

  async screenshot(fileName: string): Promise<void> {
    await saveImage(this.stage, fileName);
  }

  /** The current picture, for a cover. */
  picture(longSide: number): Promise<Blob> {
    return pictureOf(this.stage, longSide, "image/webp");
  }

  /** Applies the maker's staging; before or after the model is loaded. */
  setUp(staging: Staging): void {
    const { preset = "studio", exposure = 1, turn = 0 } = staging;
    this.environment.set({ preset, exposure, turn });
    this.stage.setBackdrop(staging.ground ?? this.environment.state.get().backdrop);
    this.stage.start = staging.view;
    this.stage.limit(staging.limits ?? {});
    this.stage.autoRotate = staging.autoRotate === true && !calm();
    this.clip = staging.clip;
    if (this.current) this.openClip();
    this.stage.invalidate();
  }

  /** A model without staging plays its first clip; before or after it is loaded. */
  playFirst(): void {
    this.animation.opensFirst = true;
    if (this.current) this.openClip();
  }

  private openClip(): void {
    this.animation.open(this.clip, !calm());
  }

  /** The point of the model at a position of the page. */
  spotAt(at: { clientX: number; clientY: number }): Spot | undefined {
    const hit = this.picker.pick(this.pointerOf(at), this.stage.camera, this.model, this.clipping);
    return hit && { at: hit.point.toArray(), normal: hit.normal?.toArray() ?? [0, 1, 0] };
  }

  /** Whether a point of the model is visible from the current camera. */
  sees(point: Vector3): boolean {
    const p = point.clone().project(this.stage.camera);
    const hit = this.picker.pick(new Vector2(p.x, p.y), this.stage.camera, this.model, this.clipping);
    const slack = this.stage.subjectRadius * 0.02;
    return !hit || hit.distance > this.stage.camera.position.distanceTo(point) - slack;
  }

  goToView(view: StageView): void {
    this.stage.goTo(view);
  }

  /** Escape: leaves the innermost active mode. */
  cancel(): boolean {
    return [...this.tools].reverse().some((tool) => tool.cancel?.() ?? false);
  }

  /** Only one tool at a time handles clicks. */
  claimClick(owner: ViewerTool): void {
    for (const tool of this.tools) if (tool instanceof PickingTool && tool !== owner) tool.stop();
  }

  setClipping(planes: Plane[]): void {
    this.clipping = planes;
    this.stage.shadow.setClipping(planes);
    this.stage.invalidate();
  }

  project(point: Vector3): { x: number; y: number; visible: boolean } {
    const p = point.clone().project(this.stage.camera);
    return {
      x: ((p.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - p.y) / 2) * this.canvas.clientHeight,
      visible: p.z > -1 && p.z < 1,
    };
  }

  private pointerOf(event: { clientX: number; clientY: number }): Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  private pointerDown = (event: PointerEvent) => {
    this.down = event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined;
  };

  private pointerUp = (event: PointerEvent) => {
    const from = this.down;
    this.down = undefined;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK_SLACK) return;
    const pointer = this.pointerOf(event);
    for (const tool of this.tools) if (tool.click?.(pointer)) return;
  };

  private pointerMove = (event: PointerEvent) => {
    if (event.buttons !== 0) return;
    const pointer = this.pointerOf(event);
    for (const tool of this.tools) tool.hover?.(pointer);
  };

  private doubleClick = (event: MouseEvent) => {
    if (this.measure.state.get().active) return;
    const hit = this.picker.pick(this.pointerOf(event), this.stage.camera, this.model, this.clipping);
    if (!hit) {
      this.stage.reset();
      return;
    }
    const { x, y, z } = hit.point;
    void this.stage.controls.setTarget(x, y, z, true);
    this.stage.invalidate();
  };

  dispose(): void {
    this.loading.abort();
    this.canvas.removeEventListener("pointerdown", this.pointerDown);
    this.canvas.removeEventListener("pointerup", this.pointerUp);
    this.canvas.removeEventListener("pointermove", this.pointerMove);
    this.canvas.removeEventListener("dblclick", this.doubleClick);
    this.clear();
    for (const tool of this.tools) tool.dispose();
    this.picker.dispose();
    this.loader.dispose();
    this.stage.dispose();
    this.frame.remove();
  }
}
