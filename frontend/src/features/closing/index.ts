export { ClosingBanner } from "./ClosingBanner";
