import { optional } from "@/lib/chunk";

/** Only for signed-in users; visitors never load them. */
export const GiftBanner = optional(() => import(/* webpackChunkName: "gift-banner" */ "./GiftBanner"));
export const Reminders = optional(() => import(/* webpackChunkName: "reminders" */ "./Reminders"));
