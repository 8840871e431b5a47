export { OrderNews } from "./late";
export { MyOrders } from "./MyOrders";
