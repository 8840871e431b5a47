import { Box3, type Group, Matrix4, type Mesh, type Object3D, type SkinnedMesh, Vector3 } from "three";
import { isMesh } from "../engine/loader";
import { Store } from "../engine/store";
import type { Viewer, ViewerTool } from "../engine/Viewer";

export interface ExplodeState {
  open: boolean;
  /** 0 together … 1 far apart */
  amount: number;
  /** parts that can be moved */
  parts: number;
}

interface Part {
  mesh: Mesh;
  home: Vector3;
  /** from the model's centre to the part's, in the space of the part's parent */
  way: Vector3;
}

/** Moves the parts of a model away from its centre. */
export class ExplodeTool implements ViewerTool {
  readonly state = new Store<ExplodeState>({ open: false, amount: 0, parts: 0 });
  private parts: Part[] = [];

  constructor(private readonly viewer: Viewer) {}

  modelChanged(model: Group): void {
    this.parts = [];
    const middle = new Box3().setFromObject(model).getCenter(new Vector3());
    const meshes: Mesh[] = [];
    model.traverse((node) => {
      if (isMesh(node) && !(node as SkinnedMesh).isSkinnedMesh && node.userData.helper !== true)
        meshes.push(node);
    });
    for (const mesh of meshes) {
      const centre = new Box3().setFromObject(mesh).getCenter(new Vector3());
      const way = centre.sub(middle);
      if (mesh.parent) toLocalDirection(way, mesh.parent);
      this.parts.push({ mesh, home: mesh.position.clone(), way });
    }
    this.state.set({
      amount: 0,
      parts: this.parts.length,
      open: this.state.get().open && this.parts.length > 1,
    });
  }

  toggle(): void {
    const open = !this.state.get().open;
    this.state.set({ open });
    this.set(open ? 0.6 : 0);
  }

  set(amount: number): void {
    for (const { mesh, home, way } of this.parts) {
      mesh.position.copy(home).addScaledVector(way, amount * 1.6);
      mesh.updateMatrixWorld(true);
    }
    this.state.set({ amount });
    this.viewer.stage.shadow.dirty = true;
    this.viewer.stage.invalidate();
  }

  modelRemoved(): void {
    this.parts = [];
    this.state.set({ amount: 0, parts: 0, open: false });
  }

  dispose(): void {
    this.parts = [];
  }
}

function toLocalDirection(way: Vector3, parent: Object3D): void {
  const inverse = new Matrix4().copy(parent.matrixWorld).invert();
  const origin = new Vector3().applyMatrix4(inverse);
  way.applyMatrix4(inverse).sub(origin);
}
