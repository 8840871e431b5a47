/** The viewer's face. None of these pulls three.js in: engines load when a stage is mounted. */
export { formatLength } from "./engine/format";
export { type CompareFigures, CompareView, formatError } from "./ui/CompareView";
export { ModelPreview } from "./ui/ModelPreview";
export { type FactPanel, ModelView } from "./ui/ModelView";
export { TilesView } from "./ui/TilesView";
