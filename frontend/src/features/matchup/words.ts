import type { MatchupDemand } from "@/calls/matchup";
import { dayOf } from "@/ui/numbers";
import type { StatusTone } from "@/ui/StatusTag";

export const HOME = "/matchingPlatform";
export const DEMANDS = `${HOME}/demandMarketPage`;
export const SERVICES = `${HOME}/serviceMarketPage`;
export const MINE = `${HOME}/demandPage`;
export const NEW_DEMAND = `${MINE}?edit=new`;
export const OWN_PROFILE = `${HOME}/serviceProviderPage?mine=1`;

export const demandPath = (id: string): string =>
  `${HOME}/demandDetailsPage?demandId=${encodeURIComponent(id)}`;
export const providerPath = (id: string): string =>
  `${HOME}/serviceProviderPage?providerId=${encodeURIComponent(id)}`;
export const editPath = (id: string): string => `${MINE}?edit=${encodeURIComponent(id)}`;

/** Notice where payment would be: the platform handles none yet. */
export const AGREEMENT = "选定后双方看到彼此的联系方式。款项目前由双方自行约定与支付，平台不经手，也不收费。";

export interface Word {
  text: string;
  tone: StatusTone;
}

export const DEMAND_STATES: Readonly<Record<string, Word>> = {
  draft: { text: "草稿", tone: "neutral" },
  review: { text: "审核中", tone: "warning" },
  refused: { text: "未通过", tone: "danger" },
  open: { text: "征集中", tone: "success" },
  chosen: { text: "已选定", tone: "info" },
  closed: { text: "已结束", tone: "neutral" },
  expired: { text: "已过期", tone: "neutral" },
  withdrawn: { text: "已撤回", tone: "neutral" },
  hidden: { text: "平台下架", tone: "danger" },
};

export const OFFER_STATES: Readonly<Record<string, Word>> = {
  sent: { text: "等待选择", tone: "warning" },
  withdrawn: { text: "已撤回", tone: "neutral" },
  chosen: { text: "已选定", tone: "success" },
  lost: { text: "未选定", tone: "neutral" },
};

export const PROVIDER_STATES: Readonly<Record<string, Word>> = {
  draft: { text: "未展示", tone: "neutral" },
  review: { text: "审核中", tone: "warning" },
  shown: { text: "展示中", tone: "success" },
  refused: { text: "未通过", tone: "danger" },
  hidden: { text: "平台下架", tone: "danger" },
};

export const wordOf = (words: Readonly<Record<string, Word>>, state: string): Word =>
  words[state] ?? { text: state, tone: "neutral" };

/** Only its owner sees it, so it can be edited. */
export const isEditable = (state: string): boolean =>
  ["draft", "refused", "withdrawn", "expired"].includes(state);

export const yuan = (amount: number): string => `¥${amount.toLocaleString("zh-CN")}`;

export function budgetText({
  budgetLow,
  budgetHigh,
}: Pick<MatchupDemand, "budgetLow" | "budgetHigh">): string {
  if (budgetHigh <= 0) return "预算面议";
  if (budgetLow <= 0) return `${yuan(budgetHigh)} 以内`;
  if (budgetLow === budgetHigh) return yuan(budgetHigh);
  return `${yuan(budgetLow)} – ${yuan(budgetHigh)}`;
}

export function untilText({ until, example }: Pick<MatchupDemand, "until" | "example">): string {
  if (example) return "示例，不接受报价";
  return until > 0 ? `报价截止 ${dayOf(until)}` : "未定截止日期";
}

/** Average rating; empty without ratings. */
export function starsText(count: number, sum: number): string {
  return count > 0 ? `${(sum / count).toFixed(1)} 星（${count} 人评价）` : "";
}

/** The last second of a day in China's time; 0 for an empty day. */
export const endOfDay = (day: string): number => (day ? Date.parse(`${day}T23:59:59+08:00`) : 0);
export const dayAhead = (days: number): string => dayOf(Date.now() + days * 86_400_000);
