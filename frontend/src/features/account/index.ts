export { BalancePanel } from "./BalancePanel";
export { ProfilePanel } from "./ProfilePanel";
