import { GIFT, GIFT_CENTS, GIFT_DAYS } from "@/facts/shop";

export const MY_COUPONS = "/workbench/account/myCoupon";

/** For texts: 三 for three coupons. */
export const GIFT_COUNT = "零一二三四五六七八九"[GIFT.length] ?? String(GIFT.length);
export const GIFT_YUAN = GIFT_CENTS / 100;
export const GIFT_VALID = `领取后 ${GIFT_DAYS} 天内有效`;
