export { Entries } from "./Entries";
export { RechargeForm } from "./RechargeForm";
export { RechargePanel } from "./RechargePanel";
