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

/** Function type and transaction type of a recharge: coins are not bought with what they are. */
const isRecharge = (order: OrderOrderInfo) => order.functionModule === 0 && order.orderType === 0;

export interface Offer {
  method: Method;
  /** Why it cannot be chosen now. */
  disabled?: string;
  /** Cents on the account it pays from. */
  balance?: number;
  /** Free counts that are left, -1 without end, and that the order takes. */
  counts?: { left: number; needed: number };
}

/** Free counts of a membership, for whom they are there and may pay this. */
function byCounts(order: OrderOrderInfo): Offer[] {
  const { memberFreeCounts: left, isBuyType, modelPublisherUploaderType } = order;
  if (left === 0 || isBuyType !== "buymodel" || paidMaker(modelPublisherUploaderType)) return [];
  const needed = countsOf(order);
  const disabled = left > 0 && left < needed ? shopMessages.countsShort(left) : undefined;
  return [{ method: "memberFree", counts: { left, needed }, disabled }];
}

/**
 * The only way to pay: a coupon of type 1, and whatever leaves nothing to pay, goes by cloud coin.
 * Undefined: any.
 */
export function forcedMethod(coupon: OrderCoupon | undefined, toPay: number): Method | undefined {
  return coupon?.type === 1 || toPay === 0 ? "cloudCoin" : undefined;
}

export interface Terms {
  /** Cents that remain to be paid. */
  toPay: number;
  /** Cents the coupon takes off. */
  off: number;
  forced: Method | undefined;
}

export function termsOf(order: OrderOrderInfo, coupon: OrderCoupon | undefined): Terms {
  const toPay = payable(order.amount, coupon);
  return { toPay, off: order.amount - toPay, forced: forcedMethod(coupon, toPay) };
}

/**
 * The ways an order is offered to be paid.
 *
 * @param isUploader the income account belongs to uploaders only
 * @param closed ways the server has answered to be not open
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

/** Cents that an account lacks. */
export const shortOf = (offer: Offer, toPay: number): number =>
  offer.balance === undefined ? 0 : Math.max(0, toPay - offer.balance);
