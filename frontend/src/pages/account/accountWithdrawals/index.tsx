export { Withdrawals as default } from "@/features/withdrawals";
