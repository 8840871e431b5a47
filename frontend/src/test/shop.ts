import type { OrderCoupon, OrderMemberGrade, OrderOrderInfo, OrderOrderItem } from "@/calls/order";
import { type Answer, tokenDatas } from "./server";
import { frameAnswers, type person } from "./site";

const DAY_MS = 24 * 3600 * 1000;

function grade(
  id: string,
  name: string,
  annualFee: number,
  changes: Partial<OrderMemberGrade>,
): OrderMemberGrade {
  return {
    id,
    name,
    singleModelLightweight: 180,
    modelFormatConversion: 180,
    singleModelOfflinePackage: 150,
    sceneModelLightweight: 90,
    modelMallChargeModelDownloads: 50,
    annualFee,
    monthlyAverage: Math.round(annualFee / 12),
    monthlyFee: 3900,
    firstMonthFee: 1990,
    storageGb: 500,
    singleMaxMb: 500,
    sceneMaxGb: 20,
    apiCalls: 10000,
    rank: Number(id),
    ...changes,
  };
}

export const grades = [
  grade("1", "基础会员", 29900, {}),
  grade("2", "高级会员", 69900, {
    singleModelLightweight: 720,
    modelFormatConversion: 720,
    singleModelOfflinePackage: 500,
    sceneModelLightweight: 70,
    modelMallChargeModelDownloads: 150,
    storageGb: 1024,
    sceneMaxGb: 50,
    apiCalls: 20000,
  }),
  grade("3", "专业会员", 169900, {
    singleModelLightweight: -1,
    modelFormatConversion: -1,
    singleModelOfflinePackage: -1,
    sceneModelLightweight: 50,
    modelMallChargeModelDownloads: 500,
    storageGb: 5120,
    sceneMaxGb: 100,
    apiCalls: 50000,
  }),
];

export function coupon(changes: Partial<OrderCoupon> = {}): OrderCoupon {
  return {
    couponId: "c30",
    couponSysType: 1,
    type: 1,
    faceValue: 3000,
    discountValue: 0,
    name: "30元会员优惠券",
    label: "满299元可用，仅限购买会员",
    minAmount: 29900,
    status: 0,
    receiveTime: Date.now(),
    expireTime: Date.now() + 30 * DAY_MS,
    ...changes,
  };
}

/** The gift: 30 from 299, 100 from 699, 200 from 1699. */
export const gift = [
  coupon(),
  coupon({ couponId: "c100", name: "100元会员优惠券", faceValue: 10000, minAmount: 69900 }),
  coupon({ couponId: "c200", name: "200元会员优惠券", faceValue: 20000, minAmount: 169900 }),
];

/** A membership order of 299 yuan, created five minutes ago. */
export function order(changes: Partial<OrderOrderInfo> = {}): OrderOrderInfo {
  const createTime = Date.now() - 5 * 60_000;
  return {
    orderId: "o1",
    uuid: "o1",
    orderNo: "2026112210000012345678",
    createTime,
    functionModule: 4,
    orderType: 12,
    description: "基础会员（年卡）",
    amount: 29900,
    payAble: 29900,
    payTpye: null,
    orderDetailList: [],
    couponList: [],
    canUseCoupon: true,
    couponId: null,
    coupon: null,
    cloudCoin: 300000,
    incomeBalance: 0,
    memberFreeCounts: 0,
    aiFreeCounts: 0,
    isBuyType: "orders",
    modelPublisherUploaderType: null,
    status: 0,
    fulfilled: false,
    expireTime: createTime + 30 * 60_000,
    payTime: null,
    payMethod: null,
    note: "",
    ...changes,
  };
}

/** A model in an order. */
export function orderItem(changes: Partial<OrderOrderItem> = {}): OrderOrderItem {
  return {
    id: "1",
    orderNo: "n-1",
    functionModule: 3,
    orderType: 10,
    description: "齿轮",
    amount: 1990,
    modelId: "m1",
    license: "personal",
    state: "ordered",
    ...changes,
  };
}

/** The server's responses during a purchase; the order is unpaid until `status` says otherwise. */
export function shopAnswers(
  changes: { person?: Partial<typeof person>; order?: OrderOrderInfo; status?: () => number } = {},
): Record<string, Answer | (() => Answer)> {
  const bought = changes.order ?? order();
  const status = changes.status ?? (() => bought.status);
  return {
    ...frameAnswers(changes.person),
    selectMemberGradeList: { datas: grades },
    createMemberOrder: { datas: bought },
    getById: () => ({ datas: { ...bought, status: status() } }),
    findByOrderId: () => ({
      datas: { orderId: bought.orderId, status: status(), fulfilled: status() === 1 },
    }),
    activeCouponList: { datas: gift.filter((one) => one.minAmount <= bought.amount) },
    list: { datas: gift },
    cancel: {},
    // A purchase renews the token.
    token: { datas: tokenDatas("tok-2") },
  };
}
