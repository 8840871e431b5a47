export { BalancePanel } from "./BalancePanel";
export { ClosingPanel } from "./closing/ClosingPanel";
export { ProfilePanel } from "./ProfilePanel";
export { EditPanel } from "./profile/EditPanel";
export { SessionsPanel } from "./sessions/SessionsPanel";
export { SignInsPanel } from "./sessions/SignInsPanel";
export { TakeAlongPanel } from "./takeAlong/TakeAlongPanel";
export { SecurityPanel } from "./ways/SecurityPanel";
