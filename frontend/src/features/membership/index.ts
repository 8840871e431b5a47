export { CompareTable } from "./CompareTable";
export { bestOf, GRADES, type GradeColumn, offerOf } from "./grades";
export { highlightLines } from "./Highlights";
export { firstTab, gradeBehind, isPaidGrade, PAID_GRADES, purchaseBlock } from "./rules";
export { UpgradeButton } from "./UpgradeButton";
export { useGrade } from "./useGrade";
export { YearPrice } from "./YearPrice";
