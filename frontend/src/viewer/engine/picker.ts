import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  DoubleSide,
  type Face,
  type Intersection,
  Matrix3,
  Matrix4,
  type Mesh,
  type Object3D,
  type Plane,
  Ray,
  Raycaster,
  type SkinnedMesh,
  type Vector2,
  type Vector3,
} from "three";
import { MeshBVH } from "three-mesh-bvh";
import { GenerateMeshBVHWorker } from "three-mesh-bvh/worker";
import { isMesh } from "./loader";

export interface Pick {
  object: Mesh;
  /** world space */
  point: Vector3;
  normal: Vector3 | undefined;
  distance: number;
}

/** With fewer triangles a tree is built synchronously; otherwise a worker builds it. */
const INLINE_TRIANGLES = 20_000;

/**
 * Finds the object under the pointer with a bounding-volume tree per geometry. Trees are built on demand; until a large
 * one is ready its mesh is searched without it.
 */
export class Picker {
  private readonly trees = new WeakMap<BufferGeometry, MeshBVH>();
  private readonly raycaster = new Raycaster();
  private worker: GenerateMeshBVHWorker | undefined;
  private preparing: Promise<void> | undefined;
  private closed = false;

  /** Builds every tree of the model; resolves when picking is fast. */
  prepare(root: Object3D): Promise<void> {
    this.preparing ??= this.build(root).finally(() => {
      this.preparing = undefined;
    });
    return this.preparing;
  }

  private async build(root: Object3D): Promise<void> {
    const geometries = new Set<BufferGeometry>();
    root.traverse((node) => {
      if (isMesh(node) && treeFits(node)) geometries.add(node.geometry);
    });
    for (const geometry of geometries) {
      if (this.closed) return;
      if (this.trees.has(geometry)) continue;
      const copy = copyGeometry(geometry);
      if (!copy) continue;
      this.trees.set(geometry, await this.tree(copy));
    }
  }

  private async tree(copy: BufferGeometry): Promise<MeshBVH> {
    const triangles = (copy.index?.count ?? copy.attributes.position?.count ?? 0) / 3;
    if (triangles <= INLINE_TRIANGLES || typeof Worker === "undefined") return new MeshBVH(copy);
    try {
      this.worker ??= new GenerateMeshBVHWorker();
      return await this.worker.generate(copy);
    } catch {
      this.worker?.dispose();
      this.worker = undefined;
      throw new Error("the picking tree could not be built");
    }
  }

  /** `pointer` in normalised device coordinates. Clipped surfaces are not hit. */
  pick(pointer: Vector2, camera: Camera, root: Object3D, clips: readonly Plane[] = []): Pick | undefined {
    this.raycaster.setFromCamera(pointer, camera);
    let best: Pick | undefined;
    const visit = (node: Object3D) => {
      if (!node.visible) return;
      if (isMesh(node) && node.userData.helper !== true && node.layers.isEnabled(0)) {
        const hit = this.hit(node, clips);
        if (hit && (!best || hit.distance < best.distance)) best = hit;
      }
      for (const child of node.children) visit(child);
    };
    visit(root);
    return best;
  }

  private hit(mesh: Mesh, clips: readonly Plane[]): Pick | undefined {
    const tree = this.trees.get(mesh.geometry);
    const found: Intersection[] = [];
    if (!tree || !treeFits(mesh)) {
      mesh.raycast(this.raycaster, found);
    } else {
      const inverse = new Matrix4().copy(mesh.matrixWorld).invert();
      const ray = new Ray().copy(this.raycaster.ray).applyMatrix4(inverse);
      const side = DoubleSide;
      const hits = clips.length > 0 ? tree.raycast(ray, side) : [tree.raycastFirst(ray, side)];
      for (const one of hits) if (one) found.push(toWorld(one, mesh, this.raycaster.ray));
    }
    found.sort((a, b) => a.distance - b.distance);
    for (const one of found) {
      if (clips.some((plane) => plane.distanceToPoint(one.point) < 0)) continue;
      return { object: mesh, point: one.point, distance: one.distance, normal: worldNormal(one.face, mesh) };
    }
    return undefined;
  }

  dispose(): void {
    this.closed = true;
    this.worker?.dispose();
  }
}

function treeFits(mesh: Mesh): boolean {
  if ((mesh as SkinnedMesh).isSkinnedMesh) return false;
  if ((mesh as { isInstancedMesh?: boolean }).isInstancedMesh) return false;
  return !mesh.geometry.morphAttributes.position?.length;
}

function toWorld(hit: Intersection, mesh: Mesh, ray: Ray): Intersection {
  hit.point.applyMatrix4(mesh.matrixWorld);
  hit.distance = hit.point.distanceTo(ray.origin);
  hit.object = mesh;
  return hit;
}

function worldNormal(face: Face | null | undefined, mesh: Mesh): Vector3 | undefined {
  if (!face) return undefined;
  return face.normal.clone().applyMatrix3(new Matrix3().getNormalMatrix(mesh.matrixWorld)).normalize();
}

/**
 * Plain positions and index: the arrays are transferred to the worker, and attributes may be interleaved or quantised.
 */
function copyGeometry(geometry: BufferGeometry): BufferGeometry | undefined {
  const position = geometry.attributes.position;
  if (!position || position.count === 0) return undefined;
  const points = new Float32Array(position.count * 3);
  for (let i = 0; i < position.count; i += 1) {
    points[3 * i] = position.getX(i);
    points[3 * i + 1] = position.getY(i);
    points[3 * i + 2] = position.getZ(i);
  }
  const copy = new BufferGeometry();
  copy.setAttribute("position", new BufferAttribute(points, 3));
  if (geometry.index) {
    const index = geometry.index;
    const numbers = new Uint32Array(index.count);
    for (let i = 0; i < index.count; i += 1) numbers[i] = index.getX(i);
    copy.setIndex(new BufferAttribute(numbers, 1));
  }
  return copy;
}
