export { MyIncome as default } from "@/features/incomes";
