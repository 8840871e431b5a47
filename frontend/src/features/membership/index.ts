export { CompareTable } from "./CompareTable";
export { firstTab, gradeBehind, isPaidGrade, PAID_GRADES, purchaseBlock } from "./rules";
export { UpgradeButton } from "./UpgradeButton";
export { useGrade } from "./useGrade";
