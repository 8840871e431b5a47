import type { ViewerFault } from "./errors";
import type { ModelStatistics } from "./statistics";

export interface ViewerState {
  phase: "idle" | "loading" | "ready" | "failed";
  /** 0…1, undefined while the size is unknown */
  progress: number | undefined;
  loadedBytes: number;
  totalBytes: number;
  /** something is visible already (the proxy or the model) */
  shown: boolean;
  fault: ViewerFault | undefined;
  statistics: ModelStatistics | undefined;
  /** the coarse copy is visible, the model is still loading */
  coarse: boolean;
  /** milliseconds from the user's request until something could be turned, and until all of it was drawn */
  turnableIn: number | undefined;
  readyIn: number | undefined;
}

export const idle: ViewerState = {
  phase: "idle",
  progress: undefined,
  loadedBytes: 0,
  totalBytes: 0,
  shown: false,
  fault: undefined,
  statistics: undefined,
  coarse: false,
  turnableIn: undefined,
  readyIn: undefined,
};
