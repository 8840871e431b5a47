import { Group, type Mesh, MeshBasicMaterial, type Object3D, PerspectiveCamera } from "three";
import { texelDensity } from "./detail";
import { faultOf, type ViewerFault } from "./errors";
import { disposeTree, type LoadedModel, ModelLoader } from "./loader";
import { LENS_RADIUS } from "./sizes";
import { Stage } from "./stage";
import { type ModelStatistics, measureModel } from "./statistics";
import { Store } from "./store";

export type CompareMode = "split" | "side";
export type CompareSide = "before" | "after";

export interface SideState {
  phase: "loading" | "ready" | "failed";
  progress: number | undefined;
  fault: ViewerFault | undefined;
  statistics: ModelStatistics | undefined;
  bytes: number;
}

/** Where the lens is, in pixels of the canvas. */
export interface LensPlace {
  x: number;
  y: number;
}

export interface CompareState {
  mode: CompareMode;
  /** position of the split, 0…1 of the width */
  split: number;
  wireframe: boolean;
  lens: LensPlace | undefined;
  before: SideState;
  after: SideState;
}

/** Magnification: where textures are seen 1:1, within these bounds. */
const LEAST_POWER = 2;
const MOST_POWER = 8;
const PLAIN_POWER = 3;

const waiting: SideState = {
  phase: "loading",
  progress: undefined,
  fault: undefined,
  statistics: undefined,
  bytes: 0,
};

/**
 * Two models, one camera, one canvas: the same view of both, side by side or split by a line that can be dragged. One
 * context draws both, so nothing has to be synchronised.
 */
export class Compare {
  readonly state = new Store<CompareState>({
    mode: "split",
    split: 0.5,
    wireframe: false,
    lens: undefined,
    before: waiting,
    after: waiting,
  });
  readonly stage: Stage;
  /** the lens' image; the page positions it */
  readonly lensCanvas = document.createElement("canvas");
  private readonly canvas: HTMLCanvasElement;
  /** texels per unit of length of the original model, if it has textures */
  private density: number | undefined;
  private readonly loader: ModelLoader;
  private readonly life = new AbortController();
  private readonly models = { before: new Group(), after: new Group() };
  private readonly loaded: LoadedModel[] = [];
  private readonly ink = new MeshBasicMaterial({
    color: 0x35c9c3,
    wireframe: true,
    transparent: true,
    opacity: 0.5,
    depthWrite: false,
    toneMapped: false,
  });

  constructor(holder: HTMLElement) {
    this.canvas = document.createElement("canvas");
    this.canvas.style.cssText =
      "position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:none";
    this.canvas.setAttribute("aria-hidden", "true");
    holder.append(this.canvas);
    try {
      this.stage = new CompareStage(this.canvas, this);
    } catch (error) {
      this.canvas.remove();
      throw error;
    }
    this.loader = new ModelLoader(this.stage.renderer);
    this.stage.scene.add(this.models.before, this.models.after);
    this.stage.onLost = () => {
      this.setSide("before", { phase: "failed", fault: "lost" });
      this.setSide("after", { phase: "failed", fault: "lost" });
    };
  }

  async load(urls: { before: string; after: string }): Promise<void> {
    await Promise.all([this.loadSide("before", urls.before), this.loadSide("after", urls.after)]);
  }

  private async loadSide(side: CompareSide, url: string): Promise<void> {
    const { signal } = this.life;
    try {
      const model = await this.loader.load(url, signal, {
        onProgress: ({ loaded, total }) =>
          this.setSide(side, { bytes: loaded, progress: total > 0 ? loaded / total : undefined }),
      });
      this.loaded.push(model);
      this.models[side].add(model.root);
      this.stage.scene.updateMatrixWorld(true);
      const first = this.loaded.length === 1;
      this.stage.frameSubject([this.models.before, this.models.after].filter((g) => g.children.length > 0));
      if (first) this.stage.reset(false);
      if (side === "before") this.density = texelDensity(model.root);
      if (this.state.get().wireframe) this.dress(this.models[side]);
      this.setSide(side, {
        phase: "ready",
        statistics: measureModel(model.root, model.counts),
        bytes: model.bytes,
      });
      this.stage.invalidate();
    } catch (error) {
      if (signal.aborted) return;
      this.setSide(side, { phase: "failed", fault: faultOf(error) });
    }
  }

  private setSide(side: CompareSide, change: Partial<SideState>): void {
    this.state.set({ [side]: { ...this.state.get()[side], ...change } });
  }

  setMode(mode: CompareMode): void {
    this.state.set({ mode });
    this.stage.relayout();
  }

  setSplit(split: number): void {
    this.state.set({ split: Math.max(0.04, Math.min(0.96, split)) });
    this.stage.invalidate();
  }

  /** Moves or removes the lens. */
  setLens(place: LensPlace | undefined): void {
    if (!place && !this.state.get().lens) return;
    const { clientWidth, clientHeight } = this.canvas;
    const lens = place && {
      x: Math.max(0, Math.min(clientWidth, place.x)),
      y: Math.max(0, Math.min(clientHeight, place.y)),
    };
    this.state.set({ lens });
    this.stage.invalidate();
  }

  /** The middle of the canvas, where a lens without a pointer starts. */
  get middle(): LensPlace {
    return { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 };
  }

  /** Magnification of the lens at the current camera, and whether a texel is then exactly one screen pixel. */
  get power(): { by: number; exact: boolean } {
    if (!this.density) return { by: PLAIN_POWER, exact: false };
    const exact = this.density / (this.stage.pixelsPerUnit * this.stage.pixelRatio);
    const by = Math.max(LEAST_POWER, Math.min(MOST_POWER, exact));
    return { by, exact: by === exact };
  }

  setWireframe(wireframe: boolean): void {
    this.state.set({ wireframe });
    for (const group of [this.models.before, this.models.after]) {
      if (wireframe) this.dress(group);
      else this.strip(group);
    }
    this.stage.invalidate();
  }

  /** Shows only the models for one part of the canvas; called by the stage for each. */
  only(side: CompareSide | "both"): void {
    this.models.before.visible = side !== "after";
    this.models.after.visible = side !== "before";
  }

  private dress(group: Group): void {
    const meshes: Mesh[] = [];
    group.traverse((node) => {
      if ((node as Mesh).isMesh && node.userData.helper !== true) meshes.push(node as Mesh);
    });
    for (const mesh of meshes) {
      if ((mesh as { isSkinnedMesh?: boolean }).isSkinnedMesh) continue;
      const overlay = mesh.clone(false) as Mesh;
      overlay.position.set(0, 0, 0);
      overlay.rotation.set(0, 0, 0);
      overlay.scale.set(1, 1, 1);
      overlay.material = this.ink;
      overlay.userData = { helper: true };
      overlay.layers.set(1);
      mesh.add(overlay);
    }
  }

  private strip(group: Group): void {
    const overlays: Object3D[] = [];
    group.traverse((node) => {
      if (node.userData.helper === true) overlays.push(node);
    });
    for (const overlay of overlays) overlay.removeFromParent();
  }

  dispose(): void {
    this.life.abort();
    for (const model of this.loaded) disposeTree(model.root);
    this.ink.dispose();
    this.loader.dispose();
    this.stage.dispose();
    this.canvas.remove();
  }
}

class CompareStage extends Stage {
  constructor(
    canvas: HTMLCanvasElement,
    private readonly owner: Compare,
  ) {
    super(canvas, "whole");
    this.relayout();
  }

  private readonly eyepiece = new PerspectiveCamera();

  override render(): void {
    const { renderer, scene, camera } = this;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const { mode, split, lens } = this.owner.state.get();
    renderer.setScissorTest(true);
    if (lens) this.renderLens(lens, mode === "side");
    const cut = Math.round(width * (mode === "side" ? 0.5 : split));
    for (const side of ["before", "after"] as const) {
      const left = side === "before" ? 0 : cut;
      const span = side === "before" ? cut : width - cut;
      this.owner.only(side);
      renderer.setScissor(left, 0, span, height);
      if (mode === "side") renderer.setViewport(left, 0, span, height);
      else renderer.setViewport(0, 0, width, height);
      renderer.render(scene, camera);
    }
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    this.owner.only("both");
  }

  /** The area under the lens, magnified: left half before, right half after. Drawn in a corner and copied out. */
  private renderLens({ x, y }: LensPlace, beside: boolean): void {
    const { renderer, scene, canvas, eyepiece } = this;
    const height = canvas.clientHeight;
    const half = canvas.clientWidth / 2;
    const size = LENS_RADIUS * 2;
    eyepiece.copy(this.camera, false);
    const { view, aspect } = eyepiece;
    const span = size / this.owner.power.by / height;
    const across = (beside && x >= half ? x - half : x) / height;
    const left = (view?.offsetX ?? 0) + across - span / 2;
    const top = (view?.offsetY ?? 0) + y / height - span / 2;
    eyepiece.setViewOffset(aspect, 1, left, top, span, span);
    renderer.setViewport(0, 0, size, size);
    for (const side of ["before", "after"] as const) {
      this.owner.only(side);
      renderer.setScissor(side === "before" ? 0 : LENS_RADIUS, 0, LENS_RADIUS, size);
      renderer.render(scene, eyepiece);
    }
    const target = this.owner.lensCanvas;
    const ratio = renderer.getPixelRatio();
    const pixels = Math.round(size * ratio);
    if (target.width !== pixels) target.width = target.height = pixels;
    target
      .getContext("2d")
      ?.drawImage(canvas, 0, canvas.height - pixels, pixels, pixels, 0, 0, pixels, pixels);
  }

  protected override aspect(width: number, height: number): number {
    return (this.owner?.state.get().mode === "side" ? width / 2 : width) / height;
  }
}
