export { GiftDialog } from "./GiftDialog";
export { GiftInPlace } from "./GiftInPlace";
export { GiftBanner, Reminders } from "./late";
export { MyCoupons } from "./MyCoupons";
