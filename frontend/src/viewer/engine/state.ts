import type { ViewerFault } from "./errors";
import type { ModelStatistics } from "./statistics";

export interface ViewerState {
  phase: "idle" | "loading" | "ready" | "failed";
  /** 0…1, undefined while the size is not known */
  progress: number | undefined;
  loadedBytes: number;
  totalBytes: number;
  /** something is visible already (the proxy or the model) */
  shown: boolean;
  fault: ViewerFault | undefined;
  statistics: ModelStatistics | undefined;
  /** milliseconds from the request to the first frame of the full model */
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
  readyIn: undefined,
};
