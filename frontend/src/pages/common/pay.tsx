export { OrderPage as default } from "@/features/payment";
