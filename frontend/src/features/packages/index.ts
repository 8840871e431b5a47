export { MyPackages } from "./MyPackages";
export { Offered } from "./Offered";
