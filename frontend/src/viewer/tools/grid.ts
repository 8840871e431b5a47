import { AxesHelper, GridHelper, Vector3 } from "three";
import { Store } from "../engine/store";
import type { Viewer, ViewerTool } from "../engine/Viewer";

export interface GridState {
  on: boolean;
  /** metres between two lines */
  step: number;
}

/** A floor grid whose spacing is a round number of metres for the model's size, and the three axes at its corner. */
export class GridTool implements ViewerTool {
  readonly state = new Store<GridState>({ on: false, step: 1 });
  private grid: GridHelper | undefined;
  private axes: AxesHelper | undefined;

  constructor(private readonly viewer: Viewer) {}

  toggle(): void {
    this.state.set({ on: !this.state.get().on });
    this.rebuild();
  }

  private rebuild(): void {
    this.remove();
    const { bounds } = this.viewer.stage;
    const size = bounds.getSize(new Vector3());
    const reach = Math.max(size.x, size.z, size.y * 0.5) * 2 || 1;
    const step = roundStep(reach / 16);
    this.state.set({ step });
    if (this.state.get().on) {
      const lines = Math.ceil(reach / step / 2) * 2;
      const grid = new GridHelper(lines * step, lines, 0x5b8cff, 0x3a4a70);
      grid.material.transparent = true;
      grid.material.opacity = 0.42;
      grid.material.depthWrite = false;
      grid.material.toneMapped = false;
      const centre = bounds.getCenter(new Vector3());
      grid.position.set(
        Math.round(centre.x / step) * step,
        bounds.min.y - reach * 0.0012,
        Math.round(centre.z / step) * step,
      );
      const axes = new AxesHelper(reach * 0.16);
      axes.setColors(0xf87171, 0x4ade80, 0x5b8cff);
      axes.position.set(bounds.min.x, bounds.min.y, bounds.min.z);
      this.viewer.stage.helpers.add(grid, axes);
      this.grid = grid;
      this.axes = axes;
    }
    this.viewer.stage.invalidate();
  }

  private remove(): void {
    for (const helper of [this.grid, this.axes]) {
      helper?.removeFromParent();
      helper?.dispose();
    }
    this.grid = undefined;
    this.axes = undefined;
  }

  modelChanged(): void {
    // the stage measures a new model right after notifying its tools
    queueMicrotask(() => this.rebuild());
  }

  dispose(): void {
    this.remove();
  }
}

/** The nearest of 1, 2, 5 × 10ⁿ. */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}
