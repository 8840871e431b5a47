import { Group, type Object3D, type Plane, Vector2, Vector3 } from "three";
import { AnimationTool } from "../tools/animation";
import { EnvironmentTool } from "../tools/environment";
import { ExplodeTool } from "../tools/explode";
import { GridTool } from "../tools/grid";
import { InspectTool } from "../tools/inspect";
import { MeasureTool } from "../tools/measure";
import { PickingTool } from "../tools/picking";
import { saveImage } from "../tools/screenshot";
import { SectionTool } from "../tools/section";
import { WireframeTool } from "../tools/wireframe";
import { faultOf } from "./errors";
import { disposeTree, type LoadedModel, type LoadProgress, ModelLoader } from "./loader";
import { Picker } from "./picker";
import { Stage } from "./stage";
import { idle, type ViewerState } from "./state";
import { measureModel } from "./statistics";
import { Store } from "./store";
import type { ToolHost, ViewerTool } from "./tool";

export interface ViewerSources {
  /** the full model */
  url: string;
  /** a coarse copy, shown while the full model is being loaded */
  proxyUrl?: string;
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

  private readonly canvas: HTMLCanvasElement;
  private readonly loader: ModelLoader;
  private current: LoadedModel | undefined;
  private loading = new AbortController();
  private down: { x: number; y: number } | undefined;

  constructor(holder: HTMLElement) {
    this.canvas = document.createElement("canvas");
    this.canvas.style.cssText =
      "position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:none";
    this.canvas.setAttribute("aria-hidden", "true");
    this.labels = document.createElement("div");
    this.labels.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    holder.append(this.canvas, this.labels);
    try {
      this.stage = new Stage(this.canvas);
    } catch (error) {
      this.canvas.remove();
      this.labels.remove();
      throw error;
    }
    this.loader = new ModelLoader(this.stage.renderer);
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

  async load({ url, proxyUrl }: ViewerSources): Promise<void> {
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    const begun = performance.now();
    this.clear();
    this.state.set({ ...idle, phase: "loading" });
    const early = (small: LoadedModel) => {
      if (signal.aborted || this.state.get().phase !== "loading" || this.current) disposeTree(small.root);
      else this.show(small, true);
    };
    let proxy: Promise<void> | undefined;
    if (proxyUrl) {
      proxy = this.loader
        .load(proxyUrl, signal, () => undefined)
        // the full model takes precedence
        .then(early, () => undefined);
    }
    try {
      const progress = ({ loaded, total }: LoadProgress) =>
        this.state.set({
          loadedBytes: loaded,
          totalBytes: total,
          progress: total > 0 ? Math.min(1, loaded / total) : undefined,
        });
      const full = await this.loader.load(url, signal, progress, early);
      const statistics = measureModel(full.root);
      if (statistics.triangles + statistics.lines + statistics.points === 0) {
        disposeTree(full.root);
        this.state.set({ phase: "failed", fault: "empty" });
        return;
      }
      this.show(full, this.current === undefined);
      const size = this.stage.bounds.getSize(new Vector3());
      statistics.size = [size.x, size.y, size.z];
      this.state.set({ phase: "ready", progress: 1, statistics, readyIn: performance.now() - begun });
    } catch (error) {
      if (signal.aborted) return;
      this.state.set({ phase: "failed", fault: faultOf(error) });
    } finally {
      await proxy;
    }
  }

  private show(model: LoadedModel, resetCamera: boolean): void {
    this.clear();
    this.current = model;
    this.model.add(model.root);
    this.model.updateMatrixWorld(true);
    for (const tool of this.tools) tool.modelChanged?.(this.model, model.clips);
    this.stage.frameSubject([this.model]);
    if (resetCamera) this.stage.reset(false);
    this.state.set({ shown: true });
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
    void this.stage.controls.fitToBox(part, true, {
      paddingTop: this.stage.subjectRadius * 0.05,
      paddingBottom: this.stage.subjectRadius * 0.05,
    });
    this.stage.invalidate();
  }

  /** Arrow keys: rotates around the model. */
  turn(azimuth: number, polar: number): void {
    void this.stage.controls.rotate(azimuth, polar, true);
    this.stage.invalidate();
  }

  zoom(factor: number): void {
    void this.stage.controls.dollyTo(this.stage.controls.distance * factor, true);
    this.stage.invalidate();
  }

  async screenshot(fileName: string): Promise<void> {
    await saveImage(this.stage, fileName);
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
    this.canvas.remove();
    this.labels.remove();
  }
}
