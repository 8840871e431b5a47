import {
  Box3,
  type BufferGeometry,
  DirectionalLight,
  Group,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
  WireframeGeometry,
} from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { buildLensCube } from "./lensCube";
import { cutOutLens, lensMaterial, lensUniforms } from "./lensMaterials";

/** Facts of the shown model; counted, not hard-coded. */
export interface ModelFacts {
  triangles: number;
  meshes: number;
  materials: number;
}

export interface HeroScene {
  facts: ModelFacts;
  /** Pointer in CSS pixels from the top left of the canvas; null when it has left. */
  setPointer(position: { x: number; y: number } | null): void;
  /** Lens centre as last drawn, in CSS pixels, for the ring around it. */
  onLens(listener: (x: number, y: number, radius: number) => void): void;
  resize(): void;
  dispose(): void;
}

const FOV = 22;
/** The elevation of an isometric view. */
const ELEVATION = Math.atan(1 / Math.SQRT2);
const MODEL_RADIUS = 1.75;
/** Half the stage over the outline's radius: leaves room to turn, and for the lens' label. */
const MARGIN = 1.1;
const MAX_PIXEL_RATIO = 2;

/** Replaces the built-in model if the server has one at this address. */
const SERVER_MODEL = "/demo/hero.glb";

async function serverModel(signal: AbortSignal): Promise<Group | null> {
  const response = await fetch(SERVER_MODEL, { signal }).catch(() => null);
  if (!response?.ok || !response.headers.get("content-type")?.includes("gltf")) return null;
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength < 12 || new DataView(bytes).getUint32(0, true) !== 0x46546c67) return null;
  const [{ GLTFLoader }, { MeshoptDecoder }] = await Promise.all([
    import(/* webpackChunkName: "hero-gltf" */ "three/examples/jsm/loaders/GLTFLoader.js"),
    import(/* webpackChunkName: "hero-gltf" */ "three/examples/jsm/libs/meshopt_decoder.module.js"),
  ]);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  return (await loader.parseAsync(bytes, "")).scene;
}

function meshesOf(model: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  model.traverse((object) => {
    if (object instanceof Mesh) meshes.push(object);
  });
  return meshes;
}

function countFacts(meshes: readonly Mesh[]): ModelFacts {
  let triangles = 0;
  const materials = new Set<unknown>();
  for (const mesh of meshes) {
    const geometry = mesh.geometry as BufferGeometry;
    const corners = geometry.index?.count ?? geometry.attributes.position?.count ?? 0;
    triangles += Math.floor(corners / 3);
    for (const material of [mesh.material].flat()) materials.add(material);
  }
  return { triangles, meshes: meshes.length, materials: materials.size };
}

/**
 * Centres the model and scales it so that its outline, seen from the resting camera, has the poster's radius. Measured over its
 * vertices, since a box would count empty corners.
 */
function centreAndScale(model: Object3D): void {
  model.updateMatrixWorld(true);
  const centre = new Box3().setFromObject(model).getCenter(new Vector3());
  const right = new Vector3(1, 0, -1).normalize();
  const up = new Vector3(-1, 2, -1).normalize();
  const point = new Vector3();
  let radius = 0;
  for (const mesh of meshesOf(model)) {
    const positions = (mesh.geometry as BufferGeometry).attributes.position;
    if (!positions) continue;
    for (let i = 0; i < positions.count; i += 1) {
      point.fromBufferAttribute(positions, i).applyMatrix4(mesh.matrixWorld).sub(centre);
      radius = Math.max(radius, Math.hypot(point.dot(right), point.dot(up)));
    }
  }
  if (radius <= 0) return;
  const scale = MODEL_RADIUS / radius;
  model.scale.multiplyScalar(scale);
  model.position.multiplyScalar(scale).sub(centre.multiplyScalar(scale));
}

export async function startHeroScene(
  canvas: HTMLCanvasElement,
  options: { still: boolean; signal: AbortSignal; lensRadius: () => number },
): Promise<HeroScene> {
  const model = (await serverModel(options.signal).catch(() => null)) ?? buildLensCube();
  if (options.signal.aborted) throw new DOMException("left the page", "AbortError");

  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "low-power" });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1;
  renderer.setClearAlpha(0);

  const scene = new Scene();
  const pmrem = new PMREMGenerator(renderer);
  const environment = pmrem.fromScene(new RoomEnvironment(), 0.03);
  scene.environment = environment.texture;
  scene.environmentIntensity = 0.45;
  const key = new DirectionalLight("#E6EDFF", 3.4);
  // From above and slightly from the right: lights the top and shades the left face.
  key.position.set(4, 9, 1.2);
  const rim = new DirectionalLight("#35C9C3", 1.8);
  rim.position.set(5, -1, -4);
  scene.add(key, rim);

  centreAndScale(model);
  const turntable = new Group();
  turntable.add(model);
  scene.add(turntable);

  const uniforms = lensUniforms();
  const meshes = meshesOf(model);
  const facts = countFacts(meshes);
  const depth = lensMaterial(uniforms, "depth");
  const front = lensMaterial(uniforms, { colour: "#8FF3EC", opacity: 0.85 });
  const back = lensMaterial(uniforms, { colour: "#5B8CFF", opacity: 0.1, behind: true });
  const wires = new Map<BufferGeometry, WireframeGeometry>();
  for (const mesh of meshes) {
    for (const material of [mesh.material].flat()) {
      if (material instanceof MeshStandardMaterial) cutOutLens(material, uniforms);
    }
    const geometry = mesh.geometry as BufferGeometry;
    const wire = wires.get(geometry) ?? new WireframeGeometry(geometry);
    wires.set(geometry, wire);
    const shell = new Mesh(geometry, depth);
    shell.renderOrder = 1;
    const faint = new LineSegments(wire, back);
    faint.renderOrder = 2;
    const lines = new LineSegments(wire, front);
    lines.renderOrder = 3;
    mesh.add(shell, faint, lines);
  }

  const camera = new PerspectiveCamera(FOV, 1, 0.1, 100);
  let width = 1;
  let height = 1;
  let ratio = 1;
  let pointer: { x: number; y: number } | null = null;
  let lensListener: ((x: number, y: number, radius: number) => void) | undefined;
  const lens = { x: 0, y: 0 };
  const turn = { yaw: 0, pitch: 0 };
  let frame = 0;
  let disposed = false;
  let visible = true;
  // No frame is drawn before this time.
  let resumeAt = 0;
  const started = performance.now();

  function resize(): void {
    const box = canvas.parentElement?.getBoundingClientRect();
    width = Math.max(1, Math.round(box?.width ?? 1));
    height = Math.max(1, Math.round(box?.height ?? 1));
    ratio = Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    // Keep the whole model in view whatever the shape of the stage.
    const fovVertical = (FOV * Math.PI) / 180;
    const fovHorizontal = 2 * Math.atan(Math.tan(fovVertical / 2) * camera.aspect);
    const distance = (MODEL_RADIUS * MARGIN) / Math.sin(Math.min(fovVertical, fovHorizontal) / 2);
    camera.position.set(
      distance * Math.cos(ELEVATION) * Math.SQRT1_2,
      distance * Math.sin(ELEVATION),
      distance * Math.cos(ELEVATION) * Math.SQRT1_2,
    );
    camera.lookAt(0, 0, 0);
    camera.updateProjectionMatrix();
    if (options.still) draw(performance.now());
  }

  function restingLens(now: number): { x: number; y: number } {
    const seconds = options.still ? 0 : (now - started) / 1000;
    return {
      x: width * (0.56 + 0.1 * Math.cos(seconds * 0.5)),
      y: height * (0.56 + 0.09 * Math.sin(seconds * 0.67)),
    };
  }

  function draw(now: number): void {
    const ease = options.still ? 1 : 0.1;
    const target = pointer ?? restingLens(now);
    lens.x += (target.x - lens.x) * ease;
    lens.y += (target.y - lens.y) * ease;
    if (!options.still) {
      const yaw = pointer ? (pointer.x / width - 0.5) * 1.1 : Math.sin((now - started) / 3600) * 0.28;
      const pitch = pointer ? (pointer.y / height - 0.5) * 0.5 : 0;
      turn.yaw += (yaw - turn.yaw) * 0.05;
      turn.pitch += (pitch - turn.pitch) * 0.05;
      turntable.rotation.set(turn.pitch * 0.6, turn.yaw, -turn.pitch * 0.6);
    }
    const radius = options.lensRadius();
    uniforms.uLens.value.set(lens.x * ratio, (height - lens.y) * ratio);
    uniforms.uLensRadius.value = radius * ratio;
    uniforms.uViewport.value.set(width * ratio, height * ratio);
    renderer.render(scene, camera);
    lensListener?.(lens.x, lens.y, radius);
  }

  function loop(now: number): void {
    if (disposed) return;
    frame = window.requestAnimationFrame(loop);
    if (!visible || document.hidden || now < resumeAt) return;
    // Pauses behind a dialog, to save CPU and GPU.
    if (document.querySelector('[role="dialog"]')) {
      resumeAt = now + 250;
      return;
    }
    draw(now);
    // Without a GPU frames are slow: pausing for twice a frame's time keeps the page responsive.
    const took = performance.now() - now;
    resumeAt = took > 40 ? now + 3 * took : 0;
  }

  const watcher = new IntersectionObserver(([entry]) => {
    visible = entry?.isIntersecting ?? true;
  });
  watcher.observe(canvas);

  resize();
  const rest = restingLens(started);
  lens.x = rest.x;
  lens.y = rest.y;
  draw(performance.now());
  if (!options.still) frame = window.requestAnimationFrame(loop);

  return {
    facts,
    setPointer(position) {
      pointer = position;
      if (options.still) draw(performance.now());
    },
    onLens(listener) {
      lensListener = listener;
      listener(lens.x, lens.y, options.lensRadius());
    },
    resize,
    dispose() {
      disposed = true;
      window.cancelAnimationFrame(frame);
      watcher.disconnect();
      for (const wire of wires.values()) wire.dispose();
      for (const mesh of meshes) {
        mesh.geometry.dispose();
        for (const material of [mesh.material].flat()) material.dispose();
      }
      for (const material of [depth, front, back]) material.dispose();
      environment.dispose();
      pmrem.dispose();
      renderer.dispose();
    },
  };
}
