/** The viewer's public interface. None of these imports three.js: engines are loaded when a stage is mounted. */
export { formatLength } from "./engine/format";
export { type CompareFigures, CompareView, formatError } from "./ui/CompareView";
export { ModelPreview } from "./ui/ModelPreview";
export { type FactPanel, ModelView } from "./ui/ModelView";
export { TilesView } from "./ui/TilesView";
