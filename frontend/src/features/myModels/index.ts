export { MyModels } from "./MyModels";
export { Trades } from "./Trades";
export { useModelDownload } from "./useModelDownload";
