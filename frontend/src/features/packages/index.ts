export { FreeCounts } from "./FreeCounts";
export { MyPackages } from "./MyPackages";
export { Offered } from "./Offered";
