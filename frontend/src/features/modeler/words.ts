import { LISTING_ACTIONS, type ListingAction } from "@/messages/listings";
import type { StatusTone } from "@/ui/StatusTag";

/** `reviewStatus` of an application. */
export const WAITING = 0;
export const REFUSED = 2;

export const KINDS = [
  { value: 2, title: "个人模型师", note: "以个人名义出售自己制作的模型。" },
  { value: 3, title: "企业模型师", note: "以企业名义出售，建议先完成企业认证。" },
] as const;

/** Limits in characters, as the server counts them. */
export const MOST = {
  leastStatement: 10,
  statement: 500,
  slogan: 40,
  introduction: 1000,
  carousel: 8,
} as const;

export const lengthOf = (text: string): number => [...text.trim()].length;

interface Word {
  text: string;
  tone: StatusTone;
}

export const STATES: Readonly<Record<string, Word>> = {
  listed: { text: "已上架", tone: "success" },
  withdrawn: { text: "已下架", tone: "neutral" },
  takendown: { text: "平台下架", tone: "danger" },
};

const TONES: Readonly<Record<ListingAction, StatusTone>> = {
  submitted: "info",
  takenBack: "neutral",
  approved: "success",
  changes: "warning",
  refused: "danger",
  discarded: "neutral",
  withdrawn: "neutral",
  relisted: "success",
  takendown: "danger",
  restored: "success",
  cleared: "success",
  removed: "danger",
  failed: "danger",
};
export const ACTIONS: Readonly<Record<string, Word>> = Object.fromEntries(
  Object.entries(LISTING_ACTIONS).map(([action, text]) => [
    action,
    { text, tone: TONES[action as ListingAction] },
  ]),
);

export const ACCOUNT_ACTIONS: Readonly<Record<string, Word>> = {
  applied: { text: "提交入驻申请", tone: "info" },
  approved: { text: "入驻申请通过", tone: "success" },
  refused: { text: "入驻申请未通过", tone: "danger" },
  frozen: { text: "账户冻结", tone: "danger" },
  unfrozen: { text: "账户解冻", tone: "success" },
};

export const WAYS: Readonly<Record<string, string>> = {
  paid: "购买",
  free: "免费领取",
  memberFree: "会员次数",
  package: "套餐抵扣",
  box: "盲盒",
  operator: "平台发放",
};

export const GRANT_STATES: Readonly<Record<string, Word>> = {
  active: { text: "有效", tone: "success" },
  returning: { text: "退还中", tone: "warning" },
  returned: { text: "已退还", tone: "neutral" },
  revoked: { text: "已收回", tone: "danger" },
};

export const THEMES = [
  { value: "night", title: "夜空" },
  { value: "blue", title: "蔚蓝" },
  { value: "teal", title: "青松" },
  { value: "plum", title: "紫梅" },
  { value: "amber", title: "琥珀" },
] as const;

export const wordOf = (words: Readonly<Record<string, Word>>, key: string): Word =>
  words[key] ?? { text: key, tone: "neutral" };

export const PER_TEN_THOUSAND = 10_000;
export const shareText = (bp: number): string => `${Number(((bp / PER_TEN_THOUSAND) * 100).toFixed(2))}%`;
