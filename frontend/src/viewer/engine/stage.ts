import CameraControls from "camera-controls";
import {
  ACESFilmicToneMapping,
  Box3,
  DirectionalLight,
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
  type WebGLRenderTarget,
} from "three";
import { ContactShadow } from "./contactShadow";
import { ViewerError } from "./errors";
import { type Backdrop, backdropTexture, type StudioPreset, studioLight } from "./studio";

CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster, MathUtils },
});

export type ToneMap = "neutral" | "aces";

/** Radians: slightly above the model, three quarters from the front. */
const START_AZIMUTH = Math.PI / 5;
const START_POLAR = Math.PI * 0.41;

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

  private readonly light = new DirectionalLight(0xffffff, 1.1);
  private backdrop: Texture | undefined;
  private environment: WebGLRenderTarget | undefined;
  private readonly resizer: ResizeObserver;
  private frame = 0;
  private last = 0;
  private radius = 1;
  private closed = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    try {
      this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    } catch (error) {
      throw new ViewerError("unsupported", error);
    }
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.toneMapping = NeutralToneMapping;
    this.helpers.name = "helpers";
    this.camera.layers.enable(1);
    this.light.position.set(-3, 5, 4);
    this.scene.add(this.helpers, this.shadow.group, this.light, this.light.target);
    this.setStudio("studio");
    this.setBackdrop("dark");

    this.controls = new CameraControls(this.camera, canvas);
    this.controls.smoothTime = calm() ? 0 : 0.16;
    this.controls.draggingSmoothTime = calm() ? 0 : 0.06;
    this.controls.dollyToCursor = true;
    this.controls.dollySpeed = 0.7;
    this.controls.addEventListener("control", this.invalidate);
    this.controls.addEventListener("wake", this.invalidate);

    canvas.addEventListener("webglcontextlost", this.lost);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(canvas.parentElement ?? canvas);
    this.resize();
  }

  invalidate = (): void => {
    if (this.frame || this.closed) return;
    this.frame = requestAnimationFrame(this.draw);
  };

  /** Draws one frame synchronously, for screenshots of the canvas. */
  drawNow(): void {
    this.updateClipping();
    this.shadow.update(this.renderer, this.scene, [this.helpers]);
    this.render();
  }

  /** Overridden by views that draw more than one image. */
  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  private draw = (now: number): void => {
    this.frame = 0;
    if (this.closed) return;
    const seconds = this.last ? Math.min(0.1, (now - this.last) / 1000) : 1 / 60;
    this.last = now;
    let more = this.controls.update(seconds);
    this.camera.updateMatrixWorld();
    for (const tick of this.tickers) more = tick(seconds) || more;
    this.drawNow();
    this.onFrame?.();
    if (more) this.invalidate();
    else this.last = 0;
  };

  /** Near and far follow the model, so that depth precision suffices for millimetres and kilometres. */
  private updateClipping(): void {
    const centre = this.bounds.getCenter(new Vector3());
    const distance = this.camera.position.distanceTo(centre);
    this.camera.near = Math.max(distance - this.radius * 1.6, this.radius * 0.002);
    this.camera.far = distance + this.radius * 14;
    this.camera.updateProjectionMatrix();
  }

  private resize(): void {
    const holder = this.canvas.parentElement;
    const width = Math.max(1, holder?.clientWidth ?? this.canvas.clientWidth);
    const height = Math.max(1, holder?.clientHeight ?? this.canvas.clientHeight);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = this.aspect(width, height);
    // keeps the model's width in view in a narrow window
    this.camera.fov = this.camera.aspect < 1 ? Math.min(70, 36 / this.camera.aspect ** 0.75) : 36;
    this.camera.updateProjectionMatrix();
    if (!this.closed) this.drawNow();
    this.invalidate();
  }

  protected aspect(width: number, height: number): number {
    return width / height;
  }

  relayout(): void {
    this.resize();
  }

  /** Sets the stage's subject: controls, shadow and depth range are adapted to its size. */
  frameSubject(subjects: readonly Object3D[]): void {
    this.bounds.makeEmpty();
    for (const subject of subjects) this.bounds.expandByObject(subject, true);
    if (this.bounds.isEmpty()) this.bounds.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
    this.radius = Math.max(1e-6, this.bounds.getBoundingSphere(new Sphere()).radius);
    this.controls.minDistance = this.radius * 0.02;
    this.controls.maxDistance = this.radius * 10;
    this.shadow.place(this.bounds);
    this.invalidate();
  }

  get subjectRadius(): number {
    return this.radius;
  }

  /** The starting view: the whole subject with a generous margin. */
  reset(animate = !calm()): void {
    this.lookFrom(START_AZIMUTH, START_POLAR, animate);
  }

  lookFrom(azimuth: number, polar: number, animate = !calm()): void {
    const centre = this.bounds.getCenter(new Vector3());
    const toEye = new Vector3().setFromSphericalCoords(1, polar, azimuth);
    const { x, y, z } = centre;
    const eye = toEye.clone().multiplyScalar(this.fitDistance(toEye)).add(centre);
    void this.controls.setLookAt(eye.x, eye.y, eye.z, x, y, z, animate);
    this.invalidate();
  }

  /** Distance at which, looking along `-toEye`, the whole box is visible with a margin. */
  private fitDistance(toEye: Vector3): number {
    const margin = 0.8;
    const tall = Math.tan(MathUtils.degToRad(this.camera.fov / 2)) * margin;
    const wide = tall * this.camera.aspect;
    const right = new Vector3(0, 1, 0).cross(toEye).normalize();
    const up = toEye.clone().cross(right);
    const half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = this.radius * 0.1;
    for (let corner = 0; corner < 8; corner += 1) {
      const at = new Vector3(
        corner & 1 ? half.x : -half.x,
        corner & 2 ? half.y : -half.y,
        corner & 4 ? half.z : -half.z,
      );
      const needed = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / tall);
      distance = Math.max(distance, at.dot(toEye) + needed);
    }
    return distance;
  }

  setStudio(preset: StudioPreset): void {
    this.environment?.dispose();
    this.environment = studioLight(this.renderer, preset);
    this.scene.environment = this.environment.texture;
    this.light.intensity = preset === "soft" ? 0.3 : preset === "contrast" ? 0.6 : 1.1;
    this.invalidate();
  }

  setBackdrop(kind: Backdrop): void {
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
    this.scene.environmentRotation.y = radians;
    this.light.position.set(-3, 5, 4).applyAxisAngle(new Vector3(0, 1, 0), radians);
    this.invalidate();
  }

  private lost = (event: Event): void => {
    event.preventDefault();
    this.onLost?.();
  };

  dispose(): void {
    this.closed = true;
    cancelAnimationFrame(this.frame);
    this.resizer.disconnect();
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.controls.dispose();
    this.shadow.dispose();
    this.environment?.dispose();
    this.backdrop?.dispose();
    this.light.dispose();
    this.renderer.dispose();
    // a page may open many viewers one after another, and browsers allow few contexts
    this.renderer.forceContextLoss();
  }
}
