export { CompareTable } from "./CompareTable";
export { PRICE_QUESTIONS } from "./compare";
export { GradeCard } from "./GradeCard";
export { GRADES, type GradeColumn } from "./grades";
export { OrderAlert } from "./OrderAlert";
export { PurchaseDialog } from "./PurchaseDialog";
export { firstTab, gradeBehind, isPaidGrade, PAID_GRADES, purchaseBlock } from "./rules";
export { UpgradeButton } from "./UpgradeButton";
export { useGrade } from "./useGrade";
