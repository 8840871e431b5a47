import type { AnimationClip, Group, Plane, Vector2 } from "three";
import type { Stage } from "./stage";
import type { ModelStatistics } from "./statistics";

/** A tool stands beside the engine: it hears of the model and of the pointer, and touches nothing else. */
export interface ViewerTool {
  /** a new model is on the stage */
  modelChanged?(model: Group, clips: readonly AnimationClip[]): void;
  /** the model leaves the stage */
  modelRemoved?(): void;
  /** a click that was no drag; answers whether the tool took it */
  click?(pointer: Vector2): boolean;
  hover?(pointer: Vector2): void;
  /** each frame; answers whether another is needed */
  tick?(seconds: number): boolean;
  /** the Escape key; answers whether there was something to leave */
  cancel?(): boolean;
  dispose(): void;
}

/** What the simple tools ask of whoever holds them: the full viewer, or the one of an offline package. */
export interface ToolHost {
  readonly stage: Stage;
  readonly clipping: Plane[];
  readonly state: { get(): { statistics: ModelStatistics | undefined } };
}
