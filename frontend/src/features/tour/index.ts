export { GuidedTour } from "./GuidedTour";
