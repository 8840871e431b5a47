export { HealthPanel, MaterialsPanel, ProblemList, Rows, StatisticsPanel } from "./Panels";
export {
  type CheckReport,
  type Figures,
  type Problem,
  type ResultReport,
  readCheckReport,
  readResultReport,
  readTilesReport,
  type TilesReport,
} from "./types";
