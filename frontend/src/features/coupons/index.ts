export { MyCoupons } from "./MyCoupons";
