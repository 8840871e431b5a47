import type { AuthInvitationItem, AuthInvitationSide } from "../../api/generated/auth";
import type { Word } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "held", text: "待处理", tone: "warning" },
  { value: "pending", text: "待达成" },
  { value: "qualified", text: "已奖励", tone: "success" },
  { value: "refused", text: "已拒绝", tone: "danger" },
];

export const SUSPICIONS: readonly Word[] = [
  { value: "any", text: "有疑点" },
  { value: "address", text: "同一网络地址" },
  { value: "device", text: "同一设备" },
  { value: "chain", text: "连环邀请" },
  { value: "many", text: "短时大量邀请" },
];

const CENTS = 100;

/** Cents of cloud coins as coins. */
export const coins = (cents: number): string =>
  (cents / CENTS).toLocaleString("zh-CN", { minimumFractionDigits: 0, maximumFractionDigits: 2 });

export const nameOf = (side: AuthInvitationSide): string => side.nickname || side.phone || side.loginId;

/** State of one side's reward. */
export function rewardOf(item: AuthInvitationItem, side: AuthInvitationSide): string {
  if (item.state === "refused") return "不发放";
  if (item.state === "held") return "待处理";
  if (item.state !== "qualified") return "未达成";
  if (side.cents === 0) return "超出当月上限";
  return `${coins(side.cents)} 云币${side.paidAt > 0 ? "" : "（入账中）"}`;
}

export const pathOf = (id: string): string => `/invitations/${encodeURIComponent(id)}`;
