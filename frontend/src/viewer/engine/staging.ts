import type { StageLimits, StageView } from "./stage";
import type { Ground, StudioPreset } from "./studio";

/** How a model is shown, as its maker has set it up. What is not set is as the viewer has it. */
export interface Staging {
  view?: StageView;
  limits?: StageLimits;
  autoRotate?: boolean;
  ground?: Ground;
  preset?: StudioPreset;
  exposure?: number;
  /** degrees */
  turn?: number;
  /** name of the clip that plays when the model is there */
  clip?: string;
}

/** A place on the model's surface. */
export interface Spot {
  at: readonly [number, number, number];
  normal: readonly [number, number, number];
}

/** A mark that stays with a place of the model. */
export interface Pin {
  id: string;
  /** shown in the mark */
  text: string;
  /** what it is, for those who do not see it */
  label: string;
  spot: Spot;
  view?: StageView;
}
