export { GiftDialog } from "./GiftDialog";
export { GiftBanner, Reminders } from "./late";
export { MyCoupons } from "./MyCoupons";
