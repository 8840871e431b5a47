import {
  type Box3,
  type BufferAttribute,
  type InstancedMesh,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
  Vector3,
} from "three";
import { STUDIO } from "@/facts/studio";

/** The camera of a model's picture: its direction, radians, and its framing of the model. */
export interface Framing {
  yaw: number;
  pitch: number;
  /** eye and target in the model's space */
  eye: Vector3;
  target: Vector3;
  /** centre and size of the model's projection, as tangents */
  middle: [number, number];
  extent: [number, number];
}

/** Maximum number of vertices sampled; every n-th of larger models. */
const MOST_VERTICES = 400_000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function smooth(from: number, to: number, value: number): number {
  const t = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** The initial view direction for a model of this size. The engine's `render/camera.rs` uses the same figures. */
export function firstView({ x, y, z }: { x: number; y: number; z: number }): { yaw: number; pitch: number } {
  const { pitch_flat, pitch_tall, flat, yaw, yaw_broad, yaw_deep, thin } = STUDIO.view;
  const tall = smooth(flat[0] ?? 0, flat[1] ?? 1, y / Math.max(x, z, 1e-9));
  return {
    yaw: radians(x < thin * z ? yaw_deep : z < thin * x ? yaw_broad : yaw),
    pitch: radians(pitch_flat + (pitch_tall - pitch_flat) * tall),
  };
}

/** Frames `subjects`, whose bounding box is `bounds`, as the engine's pictures do. */
export function frameModel(subjects: readonly Object3D[], bounds: Box3): Framing {
  const target = bounds.getCenter(new Vector3());
  const size = bounds.getSize(new Vector3());
  const { yaw, pitch } = firstView(size);
  const back = new Vector3().setFromSphericalCoords(1, Math.PI / 2 - pitch, yaw);
  const eye = back
    .clone()
    .multiplyScalar(Math.max(size.length() / 2, 1e-6) / STUDIO.eye)
    .add(target);
  const right = new Vector3(0, 1, 0).cross(back).normalize();
  const up = back.clone().cross(right);
  const low = [Infinity, Infinity] as [number, number];
  const high = [-Infinity, -Infinity] as [number, number];
  const see = (point: Vector3) => {
    point.sub(eye);
    const depth = -point.dot(back);
    if (!(depth > 0)) return;
    const seen = [point.dot(right) / depth, point.dot(up) / depth];
    for (const k of [0, 1] as const) {
      const at = seen[k] ?? 0;
      low[k] = Math.min(low[k], at);
      high[k] = Math.max(high[k], at);
    }
  };
  eachVertex(subjects, see);
  if (low[0] > high[0]) for (const corner of corners(bounds)) see(corner);
  return {
    yaw,
    pitch,
    eye,
    target,
    middle: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2],
    extent: [Math.max(high[0] - low[0], 1e-6), Math.max(high[1] - low[1], 1e-6)],
  };
}

function eachVertex(subjects: readonly Object3D[], visit: (point: Vector3) => void): void {
  const meshes: Mesh[] = [];
  let count = 0;
  for (const subject of subjects) {
    subject.traverse((node) => {
      const mesh = node as Mesh;
      if (!mesh.geometry?.attributes.position || node.userData.helper === true) return;
      meshes.push(mesh);
      count += mesh.geometry.attributes.position.count;
    });
  }
  const step = Math.max(1, Math.ceil(count / MOST_VERTICES));
  const point = new Vector3();
  for (const mesh of meshes) {
    const positions = mesh.geometry.attributes.position as BufferAttribute;
    const { count } = positions;
    if ((mesh as unknown as InstancedMesh).isInstancedMesh) {
      eachCorner(mesh as InstancedMesh, visit);
      continue;
    }
    // bones and morphs move a mesh's vertices; skinned meshes cost more, so fewer are sampled
    const stride = (mesh as unknown as SkinnedMesh).isSkinnedMesh ? step * 4 : step;
    for (let i = 0; i < count; i += stride) {
      // lines and points are no meshes
      if (mesh.isMesh) mesh.getVertexPosition(i, point);
      else point.fromBufferAttribute(positions, i);
      visit(point.applyMatrix4(mesh.matrixWorld));
    }
  }
}

/** For many instances, the corners of their common box are sufficient. */
function eachCorner(mesh: InstancedMesh, visit: (point: Vector3) => void): void {
  mesh.computeBoundingBox();
  if (mesh.boundingBox)
    for (const corner of corners(mesh.boundingBox)) visit(corner.applyMatrix4(mesh.matrixWorld));
}

function corners({ min, max }: Box3): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}
