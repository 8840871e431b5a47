import CameraControls from "camera-controls";
import {
  ACESFilmicToneMapping,
  Box3,
  Group,
  MathUtils,
  Matrix4,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Sphere,
  Spherical,
  type Texture,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";
import type { Backdrop, Ground } from "./backdrop";
import { ContactShadow } from "./contactShadow";
import { ViewerError } from "./errors";
import { caughtUp } from "./fence";
import { type Framing, frameModel } from "./framing";
import { materialsOf, texturesOf } from "./loader";
import { plainPart } from "./plainPart";
import { lightOf, type StudioPreset } from "./presets";
import { COMPARE_FILL, STAGE_FILL } from "./sizes";
import { drawnBySoftware } from "./software";
import { backdropTexture, environmentOf } from "./studio";

CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster, MathUtils },
});

/** Radians per second. */
const IDLE_TURN = 0.25;

/** Without a graphics card: pixels drawn for each pixel of a picture at rest, along a side. */
const OVERSAMPLING = 2;
/** Milliseconds without a movement until then, and the most that the last picture may have taken for it. */
const REST = 300;
const MOST_PATIENCE = 500;
/** Milliseconds after which a step of the warm-up is not worth more waiting. */
const MOST_WARMING = 3000;

export type ToneMap = "neutral" | "aces";

/**
 * The area of the stage that the model fills: the square of its shorter side, like the picture shown before it, or
 * all of it.
 */
export type StageFit = "square" | "whole";

/** Camera position and target, in the model's own units. */
export interface StageView {
  eye: readonly [number, number, number];
  target: readonly [number, number, number];
}

export interface StageLimits {
  /** degrees above the ground */
  lowest?: number;
  highest?: number;
  /** distance from the target, in the model's own units */
  nearest?: number;
  farthest?: number;
}

export const calm = (): boolean =>
  typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The common part of every view of a model: renderer, light, backdrop, camera and a loop that draws only after changes.
 * `layout` draws one frame; a plain stage draws its scene over the whole canvas.
 */
export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  /** objects of the stage, not of the model: never picked, never casting a shadow */
  readonly helpers = new Group();
  readonly camera = new PerspectiveCamera(36, 1, 0.01, 1000);
  readonly controls: CameraControls;
  readonly shadow = new ContactShadow();
  readonly bounds = new Box3(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
  /** called each frame; returns whether another is needed */
  readonly tickers = new Set<(seconds: number) => boolean>();
  onFrame: (() => void) | undefined;
  onLost: (() => void) | undefined;
  /** The initial view, if one is set; else that of the model's picture. */
  start: StageView | undefined;
  /** Turns by itself until the user interacts. */
  autoRotate = false;

  private backdrop: Texture | undefined;
  private environment: Texture | undefined;
  private preset: StudioPreset = "studio";
  /** the preset of `environment` */
  private lit: StudioPreset | undefined;
  private readonly resizer: ResizeObserver;
  private frame = 0;
  private last = 0;
  private radius = 1;
  private closed = false;
  /** smooth edges cost a processor three times as much as the rest of a picture: it draws them only at rest */
  private readonly software = drawnBySoftware();
  /** pixels drawn for each pixel of a picture with smooth edges, along a side */
  readonly oversampling = this.software ? OVERSAMPLING : 1;
  /** whether a picture at rest gets them: not one that will be replaced soon */
  refines = true;
  /** pixels of a moving picture for each of the page's, along a side */
  readonly pixelRatio = this.software ? 1 : Math.min(window.devicePixelRatio, 2);
  private refining: number | undefined;
  /** the next frame differs whether or not the camera moves */
  private stale = false;
  /** a ticker was moving something in the last frame: it may have ended that in this one */
  private moving = false;
  /** something has been drawn */
  private begun = false;
  /** the subject has not been drawn yet: its shadow follows in the next frame */
  private fresh = false;
  private subjects: readonly Object3D[] = [];
  /** of the initial view; undefined before there is a model */
  private framing: Framing | undefined;
  private lightTurn = 0;
  private limits: StageLimits = {};
  private readonly waiting: (() => void)[] = [];

  constructor(
    readonly canvas: HTMLCanvasElement,
    /** read when a model is framed and when the stage changes its size */
    public fit: StageFit = "square",
  ) {
    try {
      this.renderer = new WebGLRenderer({
        canvas,
        antialias: !this.software,
        powerPreference: "high-performance",
      });
    } catch (error) {
      throw new ViewerError("unsupported", error);
    }
    this.renderer.setPixelRatio(this.pixelRatio);
    // without a model there is nothing to draw yet: what is behind it is seen
    this.blank();
    this.renderer.toneMapping = NeutralToneMapping;
    this.helpers.name = "helpers";
    this.camera.layers.enable(1);
    this.scene.add(this.helpers, this.shadow.group);
    this.setBackdrop("dark");

    this.controls = new CameraControls(this.camera, canvas);
    this.controls.smoothTime = calm() ? 0 : 0.16;
    this.controls.draggingSmoothTime = calm() ? 0 : 0.06;
    this.controls.dollyToCursor = true;
    this.controls.dollySpeed = 0.7;
    this.controls.addEventListener("control", this.invalidate);
    this.controls.addEventListener("controlstart", () => {
      this.autoRotate = false;
    });
    this.controls.addEventListener("wake", this.invalidate);

    canvas.addEventListener("webglcontextlost", this.lost);
    this.resizer = new ResizeObserver(() => {
      if (!this.sized()) this.resize();
    });
    this.resizer.observe(canvas.parentElement ?? canvas);
    this.resize();
  }

  invalidate = (): void => {
    this.stale = true;
    this.next();
  };

  private next(): void {
    if (this.frame || this.closed) return;
    this.frame = requestAnimationFrame(this.draw);
  }

  /** Draws one frame synchronously, for screenshots of the canvas. */
  drawNow(withShadow = true): void {
    this.begun = true;
    this.canvas.style.visibility = "";
    this.light();
    this.updateClipping();
    if (withShadow) this.shadow.update(this.renderer, this.scene, [this.helpers]);
    this.render();
  }

  /** Overridden by views that draw more than one image. */
  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** Compiles and uploads an object before it is shown, so that no frame waits for it. */
  async prepare(object: Object3D): Promise<void> {
    this.light();
    await this.renderer.compileAsync(object, this.camera, this.scene);
    const textures = new Set<Texture>();
    object.traverse((node) => {
      for (const material of materialsOf(node))
        for (const texture of texturesOf(material)) textures.add(texture);
    });
    for (const texture of textures) {
      if (this.closed) return;
      this.renderer.initTexture(texture);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Resolves once the next picture has been drawn. */
  drawn(): Promise<void> {
    this.invalidate();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /**
   * Draws one triangle of a plain model, so that the programs for one are compiled beside the page's own work, before
   * there is a model. Nothing is shown.
   */
  async warmUp(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const { part, light, dispose } = plainPart();
    const idle = () => !this.closed && !this.begun && this.scene.environment === light;
    this.scene.environment ??= light;
    this.scene.add(part);
    const compiled = this.renderer.compileAsync(this.scene, this.camera);
    this.scene.remove(part);
    await compiled;
    if ((await caughtUp(gl, MOST_WARMING)) && idle()) {
      this.scene.add(part);
      this.render();
      this.scene.remove(part);
      // Without a fence the graphics process keeps the triangle until the canvas is shown.
      await caughtUp(gl, MOST_WARMING);
    }
    if (this.scene.environment === light) this.scene.environment = null;
    dispose();
  }

  /** Hides the last picture until there is another one. */
  blank(): void {
    this.begun = false;
    this.subjects = [];
    this.canvas.style.visibility = "hidden";
  }

  private draw = (now: number): void => {
    this.frame = 0;
    // a stage made before its page is drawn has no size yet
    if (this.closed || !this.canvas.isConnected) return;
    const seconds = this.last ? Math.min(0.1, (now - this.last) / 1000) : 1 / 60;
    this.last = now;
    if (this.autoRotate) void this.controls.rotate(IDLE_TURN * seconds, 0, false);
    const turned = this.controls.update(seconds) || this.autoRotate;
    this.camera.updateMatrixWorld();
    let moving = false;
    for (const tick of this.tickers) moving = tick(seconds) || moving;
    // The last frame of a movement is not known as such before the next: that one need not be drawn again.
    const changed = this.subjects.length > 0 && (this.stale || turned || moving || this.moving);
    this.stale = changed && this.fresh;
    this.moving = moving;
    if (changed) {
      this.setRatio(this.pixelRatio);
      this.drawNow(!this.fresh);
      this.fresh = false;
      this.onFrame?.();
    }
    for (const resolve of this.waiting.splice(0)) resolve();
    if (turned || moving || this.stale) this.next();
    else {
      this.last = 0;
      this.refine();
    }
  };

  private setRatio(ratio: number): void {
    clearTimeout(this.refining);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  /**
   * Draws the picture again with smooth edges, once nothing has moved for a while; unless the last one took so long that the
   * page would not answer meanwhile.
   */
  private refine(): void {
    if (!this.software || !this.refines || !this.begun) return;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!drawn) return;
    const since = performance.now();
    const later = () => {
      if (this.frame || this.closed) return;
      const done = gl.getSyncParameter(drawn, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!done && performance.now() - since < MOST_PATIENCE) {
        this.refining = window.setTimeout(later, REST / 2);
        return;
      }
      gl.deleteSync(drawn);
      if (!done) return;
      this.setRatio(this.pixelRatio * this.oversampling);
      this.drawNow();
    };
    this.refining = window.setTimeout(later, REST);
  }

  /** Near and far follow the model, so that depth precision suffices for millimetres and kilometres. */
  private updateClipping(): void {
    const centre = this.bounds.getCenter(new Vector3());
    const distance = this.camera.position.distanceTo(centre);
    this.camera.near = Math.max(distance - this.radius * 1.6, this.radius * 0.002);
    this.camera.far = distance + this.radius * 14;
    this.camera.updateProjectionMatrix();
  }

  private space(): Vector2 {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    return new Vector2(Math.max(1, clientWidth), Math.max(1, clientHeight));
  }

  private sized(): boolean {
    return this.space().equals(this.renderer.getSize(new Vector2()));
  }

  private resize(): void {
    const { x: width, y: height } = this.space();
    this.renderer.setSize(width, height, false);
    this.camera.aspect = this.aspect(width, height);
    this.focusLens();
    // a canvas of another size is empty until it is drawn
    if (this.begun && !this.closed) this.drawNow();
    this.invalidate();
  }

  /** Field of view and lens shift, so that the model fills its share of the stage, centred. */
  private focusLens(): void {
    const { aspect } = this.camera;
    if (!this.framing) {
      this.camera.updateProjectionMatrix();
      return;
    }
    const [wide, high] = this.framing.extent;
    const [x, y] = this.framing.middle;
    const most =
      this.fit === "whole" ? Math.max(high, wide / aspect) : Math.max(high, wide) / Math.min(1, aspect);
    const tangent = most / 2 / (this.fit === "whole" ? COMPARE_FILL : STAGE_FILL);
    this.camera.fov = 2 * MathUtils.radToDeg(Math.atan(tangent));
    this.camera.setViewOffset(aspect, 1, x / 2 / tangent, -y / 2 / tangent, aspect, 1);
  }

  protected aspect(width: number, height: number): number {
    return width / height;
  }

  relayout(): void {
    this.resize();
  }

  /** Sets the stage's subject: controls, shadow and depth range are adapted to its size. */
  frameSubject(subjects: readonly Object3D[]): void {
    this.subjects = subjects;
    this.bounds.makeEmpty();
    for (const subject of subjects) this.bounds.expandByObject(subject, true);
    if (this.bounds.isEmpty()) this.bounds.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
    this.radius = Math.max(1e-6, this.bounds.getBoundingSphere(new Sphere()).radius);
    this.limitDistance();
    this.shadow.place(this.bounds);
    this.fresh = true;
    this.invalidate();
  }

  /** Limits the camera's movement. */
  limit(limits: StageLimits): void {
    this.limits = limits;
    const { controls } = this;
    const { lowest = -90, highest = 90 } = limits;
    controls.minPolarAngle = MathUtils.degToRad(90 - highest);
    controls.maxPolarAngle = MathUtils.degToRad(90 - lowest);
    this.limitDistance();
  }

  private limitDistance(): void {
    const { nearest = this.radius * 0.02, farthest = this.radius * 20 } = this.limits;
    this.controls.minDistance = Math.min(nearest, farthest);
    this.controls.maxDistance = farthest;
  }

  /** Pixels per unit of length at the camera's target. */
  get pixelsPerUnit(): number {
    const visible = 2 * Math.tan(MathUtils.degToRad(this.camera.fov / 2)) * this.controls.distance;
    return this.canvas.clientHeight / visible;
  }

  get subjectRadius(): number {
    return this.radius;
  }

  /** The initial view: camera and light of the model's picture. */
  reset(animate = !calm()): void {
    this.framing = frameModel(this.subjects, this.bounds);
    const { eye, target, yaw } = this.framing;
    this.focusLens();
    this.scene.environmentRotation.y = yaw + this.lightTurn;
    this.goTo(this.start ?? { eye: eye.toArray(), target: target.toArray() }, animate);
  }

  /** The current camera. */
  get view(): StageView {
    return {
      eye: this.controls.getPosition(new Vector3()).toArray(),
      target: this.controls.getTarget(new Vector3()).toArray(),
    };
  }

  goTo({ eye, target }: StageView, animate = !calm()): void {
    void this.controls.setLookAt(...eye, ...target, animate);
    this.invalidate();
  }

  /** Moves the camera to a part, from its current side; a tiny part keeps some of its surroundings. */
  lookAtBox(box: Box3): void {
    const sphere = box.getBoundingSphere(new Sphere());
    sphere.radius = Math.max(sphere.radius * 1.15, this.radius * 0.03);
    void this.controls.fitToSphere(sphere, !calm());
    this.invalidate();
  }

  /** Rotates the camera around its target, radians. */
  turn(azimuth: number, polar: number): void {
    void this.controls.rotate(azimuth, polar, !calm());
    this.invalidate();
  }

  zoom(factor: number): void {
    void this.controls.dollyTo(this.controls.distance * factor, !calm());
    this.invalidate();
  }

  /** Moves the camera sideways, by shares of the visible area. */
  pan(right: number, up: number): void {
    const tangent = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const visible = 2 * tangent * this.controls.distance;
    void this.controls.truck(right * visible, -up * visible, !calm());
    this.invalidate();
  }

  setStudio(preset: StudioPreset): void {
    this.preset = preset;
    this.invalidate();
  }

  /** Sets the chosen light up: not before it is needed, as a worker may still be computing it. */
  private light(): void {
    if (this.lit === this.preset) return;
    this.lit = this.preset;
    this.environment?.dispose();
    this.environment = environmentOf(lightOf(this.preset));
    this.scene.environment = this.environment;
  }

  setBackdrop(kind: Backdrop | Ground): void {
    this.backdrop?.dispose();
    this.backdrop = backdropTexture(kind);
    this.scene.background = this.backdrop;
    this.invalidate();
  }

  setExposure(value: number): void {
    this.renderer.toneMappingExposure = value;
    this.invalidate();
  }

  setToneMap(kind: ToneMap): void {
    this.renderer.toneMapping = kind === "aces" ? ACESFilmicToneMapping : NeutralToneMapping;
    this.invalidate();
  }

  /** Rotates the light around the model, radians. */
  setLightTurn(radians: number): void {
    this.lightTurn = radians;
    this.scene.environmentRotation.y = (this.framing?.yaw ?? 0) + radians;
    this.invalidate();
  }

  private lost = (event: Event): void => {
    event.preventDefault();
    this.onLost?.();
  };

  dispose(): void {
    this.closed = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.refining);
    this.resizer.disconnect();
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.controls.dispose();
    this.shadow.dispose();
    this.environment?.dispose();
    this.backdrop?.dispose();
    this.renderer.dispose();
    // a page may open many viewers one after another, and browsers allow few contexts
    this.renderer.forceContextLoss();
  }
}
