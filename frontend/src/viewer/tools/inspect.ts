import {
  Box3,
  Box3Helper,
  Color,
  type Group,
  type LineBasicMaterial,
  type Mesh,
  type Object3D,
  Vector3,
} from "three";
import { isMesh, materialsOf, texturesOf } from "../engine/loader";
import type { Pick } from "../engine/picker";
import { trianglesOf } from "../engine/statistics";
import { Store } from "../engine/store";
import type { Viewer } from "../engine/Viewer";
import { type PickingState, PickingTool } from "./picking";

export interface PartFacts {
  name: string;
  materials: string[];
  triangles: number;
  vertices: number;
  textures: number;
  /** metres */
  size: [number, number, number];
}

export interface InspectState extends PickingState {
  part: PartFacts | undefined;
  hidden: number;
  isolated: boolean;
}

/** Click a part: its name, material and size. It can be hidden or isolated. */
export class InspectTool extends PickingTool<InspectState> {
  readonly state = new Store<InspectState>({
    active: false,
    preparing: false,
    part: undefined,
    hidden: 0,
    isolated: false,
  });
  private chosen: Mesh | undefined;
  /** a marked place that is not a selected part */
  private marked: Box3 | undefined;
  private readonly hidden = new Set<Mesh>();
  private readonly frame = new Box3Helper(new Box3(), new Color(0x35c9c3));

  constructor(viewer: Viewer) {
    super(viewer);
    this.frame.visible = false;
    (this.frame.material as LineBasicMaterial).toneMapped = false;
    viewer.stage.helpers.add(this.frame);
  }

  stop(): void {
    this.choose(undefined);
    this.state.set({ active: false });
  }

  protected picked(hit: Pick | undefined): void {
    this.choose(hit?.object);
  }

  private choose(mesh: Mesh | undefined): void {
    this.chosen = mesh;
    this.marked = undefined;
    this.frame.visible = mesh !== undefined;
    this.state.set({ part: mesh ? factsOf(mesh) : undefined });
    this.viewer.stage.invalidate();
  }

  /** Draws the frame around a place in a report. */
  mark(box: Box3): void {
    this.choose(undefined);
    this.marked = box;
    this.frame.box.copy(box).expandByScalar(this.viewer.stage.subjectRadius * 0.002);
    this.frame.visible = true;
    this.viewer.stage.invalidate();
  }

  focus(): void {
    if (this.chosen) this.viewer.focus(this.chosen);
  }

  hide(): void {
    if (!this.chosen) return;
    this.setHidden([...this.hidden, this.chosen], false);
    this.choose(undefined);
  }

  isolate(): void {
    const { chosen } = this;
    if (!chosen) return;
    const others: Mesh[] = [];
    this.viewer.model.traverse((node) => {
      if (isMesh(node) && node !== chosen && node.userData.helper !== true) others.push(node);
    });
    this.setHidden(others, true);
  }

  showAll(): void {
    this.setHidden([], false);
  }

  private setHidden(meshes: readonly Mesh[], isolated: boolean): void {
    for (const mesh of this.hidden) mesh.layers.enable(0);
    this.hidden.clear();
    for (const mesh of meshes) {
      // by layer and not by `visible`: children of a hidden part must stay visible
      mesh.layers.disable(0);
      this.hidden.add(mesh);
    }
    this.state.set({ hidden: this.hidden.size, isolated });
    this.viewer.stage.shadow.dirty = true;
    this.viewer.stage.invalidate();
  }

  tick(): boolean {
    if (this.chosen && this.frame.visible) this.frame.box.copy(boxOf(this.chosen));
    return false;
  }

  cancel(): boolean {
    if (this.chosen || this.marked) {
      this.choose(undefined);
      return true;
    }
    if (this.hidden.size > 0) {
      this.showAll();
      return true;
    }
    if (!this.state.get().active) return false;
    this.stop();
    return true;
  }

  modelRemoved(): void {
    this.showAll();
    this.choose(undefined);
  }

  modelChanged(_model: Group): void {
    this.state.set({ hidden: 0, isolated: false });
    if (this.state.get().active) void this.start();
  }

  dispose(): void {
    this.frame.dispose();
  }
}

/** The loader sanitises names for animation tracks; the original name is in `userData`. */
function originalName(node: Object3D | null): string {
  if (!node) return "";
  return typeof node.userData.name === "string" ? node.userData.name : node.name;
}

/** A skinned part is measured in its current pose, unless that is too expensive for every frame. */
function boxOf(mesh: Mesh): Box3 {
  const posed = (mesh as { isSkinnedMesh?: boolean }).isSkinnedMesh === true;
  const vertices = mesh.geometry.attributes.position?.count ?? 0;
  return new Box3().setFromObject(mesh, posed && vertices < 100_000);
}

function factsOf(mesh: Mesh): PartFacts {
  const materials = materialsOf(mesh);
  const textures = new Set(materials.flatMap((material) => texturesOf(material).map((t) => t.source)));
  const size = boxOf(mesh).getSize(new Vector3());
  return {
    name: originalName(mesh) || originalName(mesh.parent) || "未命名部件",
    materials: materials.map((material, i) => material.name || `材质 ${i + 1}`),
    triangles: trianglesOf(mesh),
    vertices: mesh.geometry.attributes.position?.count ?? 0,
    textures: textures.size,
    size: [size.x, size.y, size.z],
  };
}
