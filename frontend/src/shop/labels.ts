import type { StatusTone } from "@/ui/StatusTag";

/** States of an order by their number. */
export const ORDER_STATUS = {
  toBePaid: 0,
  paid: 1,
  cancelled: 2,
  expired: 3,
  closing: 4,
} as const;

export function orderStatusOf(status: number, fulfilled: boolean): { text: string; tone: StatusTone } {
  switch (status) {
    case ORDER_STATUS.toBePaid:
      return { text: "待付款", tone: "warning" };
    case ORDER_STATUS.paid:
      return fulfilled ? { text: "已完成", tone: "success" } : { text: "已付款", tone: "success" };
    case ORDER_STATUS.cancelled:
      return { text: "已取消", tone: "neutral" };
    case ORDER_STATUS.expired:
      return { text: "已超时", tone: "neutral" };
    case ORDER_STATUS.closing:
      return { text: "关闭中", tone: "running" };
    default:
      return { text: "未知状态", tone: "neutral" };
  }
}

export const FUNCTION_TYPES: readonly string[] = ["账户", "模型服务", "套餐", "模型商城", "会员", "其他"];

export const functionName = (code: number): string => FUNCTION_TYPES[code] ?? `类型 ${code}`;

/** Transaction types run from 0 to 43; only these have a name. */
const TRANSACTION_NAMES: Readonly<Record<number, string>> = {
  0: "充值",
  1: "算力",
  4: "套餐",
  10: "模型购买",
  11: "会员次数下载",
  12: "会员",
};

export const LAST_TRANSACTION_TYPE = 43;

export const transactionName = (code: number): string => TRANSACTION_NAMES[code] ?? `类型 ${code}`;

/** All codes, named ones first. */
export function transactionTypes(): { code: number; name: string; named: boolean }[] {
  const all = Array.from({ length: LAST_TRANSACTION_TYPE + 1 }, (_, code) => ({
    code,
    name: transactionName(code),
    named: code in TRANSACTION_NAMES,
  }));
  return [...all.filter((one) => one.named), ...all.filter((one) => !one.named)];
}

/** Payment methods by channel. */
export const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  cloudCoin: "云币",
  incomeBalance: "收入余额",
  alipay: "支付宝",
  wechat: "微信支付",
  memberFree: "会员免费次数",
};

/** Pay methods of account details, as their filter lists them. */
export const PAY_METHODS: readonly { value: string; name: string }[] = [
  { value: "alipay", name: "支付宝" },
  { value: "wechat", name: "微信" },
  { value: "balance", name: "余额" },
  { value: "bankCard", name: "银行卡" },
];
