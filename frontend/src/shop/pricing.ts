import type { OrderCoupon } from "@/calls/order";

export type Reduction = Pick<OrderCoupon, "couponSysType" | "type" | "faceValue" | "discountValue">;

/** Percentage of the price of lightweight oblique photography to be paid with a coupon of type 2, whatever the coupon says. */
const OBLIQUE_PERCENT = 49;

const percent = (amount: number, share: number) => Math.floor((amount * share + 50) / 100);

/**
 * Cents to be paid for `amount` cents with a coupon, computed like on the server (services/order, pricing.rs),
 * which refuses any other amount.
 */
export function payable(amount: number, coupon: Reduction | undefined, oblique = false): number {
  if (!coupon) return amount;
  const rest =
    oblique && coupon.type === 2
      ? percent(amount, OBLIQUE_PERCENT)
      : coupon.couponSysType === 1 && coupon.type !== 1
        ? percent(amount, coupon.discountValue)
        : amount - coupon.faceValue;
  return Math.min(Math.max(rest, 0), Math.max(amount, 0));
}
