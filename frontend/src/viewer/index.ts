/** The viewer's public interface. None of these imports three.js: engines are loaded when a stage is mounted. */
export { formatLength } from "./engine/format";
export type { ModelPlace } from "./engine/places";
export type { StageView } from "./engine/stage";
export type { Pin, Spot, Staging } from "./engine/staging";
export { modelAhead, viewerAhead } from "./ui/ahead";
export { formatError } from "./ui/CompareStrip";
export { type CompareFigures, CompareView } from "./ui/CompareView";
export { dropEarly, loadEarly, makeEarly } from "./ui/early";
export { ModelPreview } from "./ui/ModelPreview";
export { type FactPanel, ModelView } from "./ui/ModelView";
export { PlaceContext, type PlaceFinder, usePlaces } from "./ui/places";
export { StagedModel, type StageHandle } from "./ui/StagedModel";
export { TilesView } from "./ui/TilesView";
