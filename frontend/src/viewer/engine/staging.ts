import type { Ground } from "./backdrop";
import type { StudioPreset } from "./presets";
import type { StageLimits, StageView } from "./stage";

/** The maker's presentation of a model. Missing fields use the viewer's defaults. */
export interface Staging {
  view?: StageView;
  limits?: StageLimits;
  autoRotate?: boolean;
  ground?: Ground;
  preset?: StudioPreset;
  exposure?: number;
  /** degrees */
  turn?: number;
  /** name of the clip that plays once the model is loaded */
  clip?: string;
}

/** A place on the model's surface. */
export interface Spot {
  at: readonly [number, number, number];
  normal: readonly [number, number, number];
}

/** A label attached to a place of the model. */
export interface Pin {
  id: string;
  /** shown in the label */
  text: string;
  /** description for screen readers */
  label: string;
  spot: Spot;
  view?: StageView;
}
