/** All texts of buying and paying. Tests compare them exactly. */
export const shopMessages = {
  // Memberships
  purchaseTitle: "开通会员",
  orderAlertTitle: "订单提示",
  agreementRequired: "请先阅读并同意会员服务协议",
  lowerOwned: (grade: string) => `您当前的会员等级高于${grade}，无需购买`,
  highestRunning: (grade: string) => `您已是${grade}，到期后可续费`,

  /** Currently free for all users, members or not. */
  freeNow: "限时免费",
  unlimitedNow: "不限次数",
  freeNowNote:
    "单模型轻量化、格式转换、倾斜摄影轻量化和离线包目前对所有人限时免费、不限次数，恢复计次前会提前公告。",
  memberNowNote: "会员现在就多得存储空间和更大的模型；上面的次数在恢复计次后生效。",

  // Effects of a purchase
  beginsNow: (until: string) => `自开通当日起一年，有效期至 ${until}，到期不会自动续费`,
  renews: (grade: string, from: string, until: string) =>
    `续费一年：接在现有的${grade}之后，有效期从 ${from} 延长到 ${until}`,
  upgrades: (to: string, until: string, from: string) =>
    `立即升级为${to}，有效期至 ${until}；${from}剩余的时间在其后继续`,
  follows: (to: string, current: string, from: string) =>
    `${to}一年，在${current}于 ${from} 到期后开始；现在的等级不变`,

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

  // Free counts of a membership
  countsShort: (left: number) => `您的免费次数为${left}，不足以抵扣此订单，请重新选择或直接支付`,
  countsLeft: (left: number, needed: number) =>
    left < 0 ? `不限次数，本单用 ${needed} 次` : `剩余 ${left} 次，本单用 ${needed} 次`,
  countsTaken: (needed: number) => `用会员免费次数 ${needed} 次`,
  countsHere: (left: number) =>
    left < 0 ? "会员免费次数可以抵扣，不限次数。" : `本月还有 ${left} 次会员免费次数，支付时可以抵扣。`,
  countsNone: "开通会员后，每月可以免费下载付费模型",

  // The cart
  cartEmpty: "购物车是空的",
  cartAdded: "已加入购物车",
  cartRemoved: "成功移出购物车",
  fallen: (yuan: string) => `降了 ¥${yuan}`,
  risen: (added: string) => `加入时 ¥${added}，已涨价`,
  nowFree: "现在免费，不用结算",
  notForSale: "现在不能购买",
  inMyModels: "模型已放入“我的模型”，可以随时下载",
  bought: "购买成功，模型已放入我的模型",
  otherPrice: (order: string, page: string) =>
    `订单价格是 ¥${order}，与页面上的 ¥${page} 不同，请确认后再支付`,

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
