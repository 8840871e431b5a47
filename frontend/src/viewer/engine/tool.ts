import type { AnimationClip, Group, Plane, Vector2 } from "three";
import type { Stage } from "./stage";
import type { ModelStatistics } from "./statistics";

/** A tool works beside the engine: it is notified of the model and of the pointer, and depends on nothing else. */
export interface ViewerTool {
  /** a new model has been loaded */
  modelChanged?(model: Group, clips: readonly AnimationClip[]): void;
  /** the model is being removed */
  modelRemoved?(): void;
  /** a click that was not a drag; returns whether the tool handled it */
  click?(pointer: Vector2): boolean;
  hover?(pointer: Vector2): void;
  /** called each frame; returns whether another is needed */
  tick?(seconds: number): boolean;
  /** the Escape key; returns whether there was something to leave */
  cancel?(): boolean;
  dispose(): void;
}

/** What simple tools need of their host: the full viewer, or the one of an offline package. */
export interface ToolHost {
  readonly stage: Stage;
  readonly clipping: Plane[];
  readonly state: { get(): { statistics: ModelStatistics | undefined } };
}
