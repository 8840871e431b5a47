export { Withdrawals } from "./Withdrawals";
