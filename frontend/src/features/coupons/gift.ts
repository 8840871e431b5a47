export const MY_COUPONS = "/workbench/account/myCoupon";

/** What the gift holds, before it has been received. Cents. */
export const GIFT = [
  { name: "30元会员优惠券", faceValue: 3000, minAmount: 29900 },
  { name: "100元会员优惠券", faceValue: 10000, minAmount: 69900 },
  { name: "200元会员优惠券", faceValue: 20000, minAmount: 169900 },
] as const;
