export { MyIncome } from "./MyIncome";
