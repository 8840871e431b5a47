export { OrderItems } from "./OrderItems";
export { OrderPage } from "./OrderPage";
export { OrderNumber } from "./OrderSummary";
export { Outcome } from "./Outcome";
export { PayDialog } from "./PayDialog";
