import { optional } from "@/lib/chunk";

/** For who is signed in; a visitor never loads them. */
export const GiftBanner = optional(() => import(/* webpackChunkName: "gift-banner" */ "./GiftBanner"));
export const Reminders = optional(() => import(/* webpackChunkName: "reminders" */ "./Reminders"));
