export { MyOrders } from "./MyOrders";
