/** Every sentence of buying and paying. Tests assert them letter by letter. */
export const shopMessages = {
  // Memberships
  purchaseTitle: "开通会员",
  orderAlertTitle: "订单提示",
  agreementRequired: "请先阅读并同意会员服务协议",
  lowerOwned: (grade: string) => `您当前的会员等级高于${grade}，无需购买`,
  highestRunning: (grade: string) => `您已是${grade}，到期后可续费`,

  // The payment dialog
  payTitle: "支付",
  timedOut: "订单超时，请重新下单",
  cancelled: "订单已取消，请重新下单",
  succeeded: (seconds: number) => `支付成功，${seconds} 秒后跳转`,
  failedTitle: "支付失败",
  networkFailed: "支付失败，请检查您的网络",
  wechatFailed: "微信支付没有完成，请重新支付或选择其他支付方式",
  orderInvalid: "订单无效，请取消订单后重新下单",
  methodClosed: "该支付方式尚未开放，请选择其他支付方式",
  payAgain: "重新支付",
  couponCoinOnly: "使用该优惠券的订单请用云币支付",
  nothingToPay: "无需付款，确认后直接生效",

  // Orders
  cancelQuestion: "取消这个订单？",
  cancelDone: "订单已取消",

  // Copying
  copied: "复制成功",
  copyFailed: "复制失败，请手动选取",

  // Coins
  amountRequired: "请输入充值金额",
  amountRange: (least: string, most: string) => `充值金额应在 ${least} 元到 ${most} 元之间`,
  recharged: "充值成功，云币已到账",

  // Coupons
  received: "领取成功",
  viewCoupons: "查看我的优惠券",
  belowMinimum: (yuan: string) => `订单满 ${yuan} 元可用`,
  wrongKind: "不能用于此订单",
  expiringText: (count: string, yuan: number) =>
    `您有${count}张共 ${yuan} 元的会员优惠券即将到期，过期后无法找回。`,
  reminderText: "您还有会员优惠券没有使用，开通会员时可以直接抵扣。",
  vipExpired: "您的 VIP 服务已到期，会员特权已暂停",
} as const;
