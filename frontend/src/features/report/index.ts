export { HealthPanel, MaterialsPanel, ProblemList, Rows, StatisticsPanel } from "./Panels";
export {
  type CheckReport,
  type Figures,
  type Problem,
  type ResultReport,
  type TilesReport,
  readCheckReport,
  readResultReport,
  readTilesReport,
} from "./types";
