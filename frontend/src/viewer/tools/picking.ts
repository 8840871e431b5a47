import type { Vector2 } from "three";
import type { Pick } from "../engine/picker";
import type { Store } from "../engine/store";
import type { Viewer, ViewerTool } from "../engine/Viewer";

export interface PickingState {
  active: boolean;
  /** the picking trees are being built */
  preparing: boolean;
}

/** A tool that handles clicks while it is active; only one of these is active at a time. */
export abstract class PickingTool<State extends PickingState> implements ViewerTool {
  abstract readonly state: Store<State>;

  constructor(protected readonly viewer: Viewer) {}

  /** Switches the tool off. */
  abstract stop(): void;

  /** A click on the model, or outside it. */
  protected abstract picked(hit: Pick | undefined): void;

  abstract dispose(): void;

  toggle(): void {
    if (this.state.get().active) this.stop();
    else void this.start();
  }

  protected async start(): Promise<void> {
    this.viewer.claimClick(this);
    this.report({ active: true, preparing: true });
    try {
      await this.viewer.picker.prepare(this.viewer.model);
    } catch {
      // picking then searches without trees: slower but correct
    }
    this.report({ preparing: false });
  }

  click(pointer: Vector2): boolean {
    if (!this.state.get().active) return false;
    const { stage, picker, model, clipping } = this.viewer;
    this.picked(picker.pick(pointer, stage.camera, model, clipping));
    return true;
  }

  private report(changes: Partial<PickingState>): void {
    this.state.set(changes as Partial<State>);
  }
}
