export { GuidedTour } from "./GuidedTour";
export { useTurn } from "./useTurn";
