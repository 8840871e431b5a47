/** The shop's dialogs, as one chunk. */
export { GiftDialog } from "@/features/coupons/GiftDialog";
export { OrderAlert } from "@/features/membership/OrderAlert";
export { default as PurchaseDialog } from "@/features/membership/PurchaseDialog";
export { default as PayDialog } from "@/features/payment/PayDialog";
