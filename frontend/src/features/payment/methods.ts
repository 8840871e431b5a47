import type { OrderCoupon, OrderOrderInfo } from "@/calls/order";
import { shopMessages } from "@/messages/shop";
import { countsOf, paidMaker } from "@/shop/counts";
import { payable } from "@/shop/pricing";

export type Method = "wechat" | "cloudCoin" | "incomeBalance" | "alipay" | "memberFree";

export const METHOD_NAMES: Record<Method, string> = {
  wechat: "微信支付",
  cloudCoin: "云币",
  incomeBalance: "收入余额",
  alipay: "支付宝",
  memberFree: "会员免费次数",
};

/** Function type of memberships. */
export const MEMBERSHIP = 4;

/** Function type and transaction type of a recharge: coins cannot be paid for with coins. */
const isRecharge = (order: OrderOrderInfo) => order.functionModule === 0 && order.orderType === 0;

export interface Offer {
  method: Method;
  /** Why it cannot be chosen now. */
  disabled?: string;
  /** Balance of its account in cents. */
  balance?: number;
  /** Free counts left (-1: unlimited) and needed for the order. */
  counts?: { left: number; needed: number };
}

/** Free counts of a membership, if there are any and they may pay for this order. */
function byCounts(order: OrderOrderInfo): Offer[] {
  const { memberFreeCounts: left, isBuyType, modelPublisherUploaderType } = order;
  if (left === 0 || isBuyType !== "buymodel" || paidMaker(modelPublisherUploaderType)) return [];
  const needed = countsOf(order);
  const disabled = left > 0 && left < needed ? shopMessages.countsShort(left) : undefined;
  return [{ method: "memberFree", counts: { left, needed }, disabled }];
}

/** The only possible method: coupons of type 1 and orders with nothing to pay use cloud coins. Undefined: any method. */
export function forcedMethod(coupon: OrderCoupon | undefined, toPay: number): Method | undefined {
  return coupon?.type === 1 || toPay === 0 ? "cloudCoin" : undefined;
}

export interface Terms {
  /** Cents to pay. */
  toPay: number;
  /** Discount of the coupon in cents. */
  off: number;
  forced: Method | undefined;
}

export function termsOf(order: OrderOrderInfo, coupon: OrderCoupon | undefined): Terms {
  const toPay = payable(order.amount, coupon);
  return { toPay, off: order.amount - toPay, forced: forcedMethod(coupon, toPay) };
}

/**
 * The payment methods offered for an order.
 *
 * @param isUploader only uploaders have an income account
 * @param closed methods that the server has reported as unavailable
 */
export function offersOf(
  order: OrderOrderInfo,
  terms: Terms,
  isUploader: boolean,
  closed: readonly Method[],
): Offer[] {
  const all: Offer[] = [{ method: "wechat" }, { method: "alipay" }];
  if (!isRecharge(order)) {
    all.splice(1, 0, { method: "cloudCoin", balance: order.cloudCoin });
    if (isUploader) all.splice(2, 0, { method: "incomeBalance", balance: order.incomeBalance });
  }
  all.unshift(...byCounts(order));
  return all.map((offer) => {
    if (offer.disabled !== undefined) return offer;
    if (closed.includes(offer.method)) return { ...offer, disabled: shopMessages.methodClosed };
    if (terms.forced && offer.method !== terms.forced)
      return {
        ...offer,
        disabled: terms.toPay === 0 ? shopMessages.nothingToPay : shopMessages.couponCoinOnly,
      };
    return offer;
  });
}

/** Cents missing on an account. */
export const shortOf = (offer: Offer, toPay: number): number =>
  offer.balance === undefined ? 0 : Math.max(0, toPay - offer.balance);
