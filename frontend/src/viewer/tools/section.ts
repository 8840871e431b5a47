import {
  DoubleSide,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Plane,
  PlaneGeometry,
  type Side,
  Vector3,
} from "three";
import { materialsOf } from "../engine/loader";
import { Store } from "../engine/store";
import type { Viewer, ViewerTool } from "../engine/Viewer";

export type Axis = "x" | "y" | "z";

export interface SectionState {
  on: boolean;
  axis: Axis;
  /** 0…1 through the model's box */
  at: number;
  flip: boolean;
}

/** Cuts the model along one axis; inner faces are shown, and a frame marks the cut. */
export class SectionTool implements ViewerTool {
  readonly state = new Store<SectionState>({ on: false, axis: "x", at: 0.5, flip: false });
  private readonly plane = new Plane(new Vector3(-1, 0, 0), 0);
  private readonly sides = new Map<Material, Side>();
  private readonly frame = new LineSegments(
    new EdgesGeometry(new PlaneGeometry(1, 1)),
    new LineBasicMaterial({ color: 0x5b8cff, transparent: true, opacity: 0.8, toneMapped: false }),
  );

  constructor(private readonly viewer: Viewer) {
    viewer.stage.renderer.localClippingEnabled = true;
    this.frame.visible = false;
    viewer.stage.helpers.add(this.frame);
  }

  toggle(): void {
    this.set({ on: !this.state.get().on });
  }

  set(change: Partial<SectionState>): void {
    const was = this.state.get().on;
    this.state.set(change);
    const { on } = this.state.get();
    if (on) this.move();
    if (on && !was) this.apply();
    if (!on && was) this.release();
    this.viewer.stage.shadow.dirty = true;
    this.viewer.stage.invalidate();
  }

  private move(): void {
    const { axis, at, flip } = this.state.get();
    const { bounds } = this.viewer.stage;
    const span = bounds.max[axis] - bounds.min[axis];
    // slightly outside the box at both ends, so that 0 and 1 show all and nothing
    const offset = bounds.min[axis] - span * 0.001 + span * 1.002 * at;
    this.plane.normal.set(0, 0, 0);
    this.plane.normal[axis] = flip ? 1 : -1;
    this.plane.constant = flip ? -offset : offset;

    const size = bounds.getSize(new Vector3()).multiplyScalar(1.06);
    const centre = bounds.getCenter(new Vector3());
    centre[axis] = offset;
    this.frame.position.copy(centre);
    this.frame.rotation.set(axis === "y" ? Math.PI / 2 : 0, axis === "x" ? Math.PI / 2 : 0, 0);
    this.frame.scale.set(axis === "x" ? size.z : size.x, axis === "y" ? size.z : size.y, 1);
  }

  private apply(): void {
    this.viewer.setClipping([this.plane]);
    this.frame.visible = true;
    this.viewer.model.traverse((node) => {
      for (const material of materialsOf(node)) {
        if (!this.sides.has(material)) this.sides.set(material, material.side);
        material.side = DoubleSide;
        material.clippingPlanes = this.viewer.clipping;
        material.needsUpdate = true;
      }
    });
  }

  private release(): void {
    this.frame.visible = false;
    this.viewer.setClipping([]);
    for (const [material, side] of this.sides) {
      material.side = side;
      material.clippingPlanes = null;
      material.needsUpdate = true;
    }
    this.sides.clear();
  }

  modelRemoved(): void {
    this.release();
    this.state.set({ on: false });
  }

  dispose(): void {
    this.release();
    this.frame.geometry.dispose();
    this.frame.material.dispose();
  }
}
