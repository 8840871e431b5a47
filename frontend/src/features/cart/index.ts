export { CartPage } from "./CartPage";
