export { ExtensionPlan } from "./ExtensionPlan";
export { MyExtension } from "./MyExtension";
export { PointsDialog } from "./PointsDialog";
