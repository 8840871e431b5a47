import type { PaymentWithdrawalItem } from "../../api/generated/payment";
import type { Word } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "open", text: "全部待办" },
  { value: "requested", text: "待审核", tone: "warning" },
  { value: "checked", text: "待复核", tone: "warning" },
  { value: "approved", text: "待打款", tone: "warning" },
  { value: "paying", text: "打款中" },
  { value: "paid", text: "已打款", tone: "success" },
  { value: "refused", text: "未通过", tone: "danger" },
  { value: "failed", text: "打款失败", tone: "danger" },
  { value: "cancelled", text: "已撤回" },
];

export const CHANNELS: readonly Word[] = [
  { value: "cloudCoin", text: "云币" },
  { value: "alipay", text: "支付宝" },
  { value: "wechat", text: "微信支付" },
  { value: "incomeBalance", text: "收入余额" },
];

export const APPROVALS = ["收入来源正常，同意打款", "已核对销售记录"];
export const REFUSALS = [
  "收入来源异常，请联系客服核实",
  "银行卡信息有误，请更换银行卡",
  "模型存在侵权争议，处理后再申请",
];
export const FAILURES = ["银行退回：户名与卡号不符", "银行退回：账户状态异常", "银行退回：卡号不存在"];
export const RETURNS = ["暂不打款，交给其他同事", "银行系统维护，稍后再打"];

/** Cents as yuan. */
export const yuan = (cents: number): string =>
  `¥${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;

export const pathOf = (id: string): string => `/withdrawals/${encodeURIComponent(id)}`;

export const cardOf = ({ bankName, last4 }: PaymentWithdrawalItem): string =>
  `${bankName || "银行卡"} 尾号 ${last4}`;
