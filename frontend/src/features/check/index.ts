export { CheckView, ErrorTip } from "./CheckView";
export { recommendsLightweight } from "./log";
export { useCheckLog } from "./useCheckLog";
