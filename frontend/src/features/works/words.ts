import type { WorksMyWork, WorksWorkCard } from "@/calls/works";
import type { StatusTone } from "@/ui/StatusTag";

export const HOME = "/production";
export const CLASSIFY = "/production/classify";
export const MINE = "/workbench/myWorks";
export const LIST = "/workbench/myWorks/list";
export const COMMENTS = "/workbench/myComment";

/** By `type`. */
const TYPES = ["单体模型", "完整场景", "客户案例", "单体模型"] as const;
export const typeName = (type: number): string => TYPES[type] ?? TYPES[0];

/** The gallery's kinds, with the types that each includes. */
export const KINDS = [
  { id: "model", text: "单体模型", types: "0,3" },
  { id: "scene", text: "完整场景", types: "1" },
  { id: "case", text: "客户案例", types: "2" },
] as const;

/** Types that an author can choose. */
export const OWN_TYPES = [
  { value: 0, text: "单体模型" },
  { value: 1, text: "完整场景" },
  { value: 2, text: "客户案例" },
] as const;

export const ORDERS = [
  { id: "new", text: "最新" },
  { id: "hot", text: "最热" },
  { id: "liked", text: "最受喜欢" },
] as const;

interface StateWord {
  text: string;
  tone: StatusTone;
}

export const STATES: Readonly<Record<string, StateWord>> = {
  draft: { text: "草稿", tone: "neutral" },
  review: { text: "审核中", tone: "warning" },
  refused: { text: "未通过", tone: "danger" },
  published: { text: "展示中", tone: "success" },
  withdrawn: { text: "已撤下", tone: "neutral" },
  hidden: { text: "平台隐藏", tone: "danger" },
};

/** States of the changes to a published work. */
const EDITS: Readonly<Record<string, StateWord>> = {
  editing: { text: "有未提交的修改", tone: "info" },
  review: { text: "修改审核中", tone: "warning" },
  refused: { text: "修改未通过", tone: "danger" },
};

export const stateWord = (state: string): StateWord => STATES[state] ?? { text: state, tone: "neutral" };
export const editWord = (state: string): StateWord | undefined => EDITS[state];

export const VISIBILITIES = [
  { value: "public", text: "公开", note: "出现在作品页和搜索里，所有人都能看" },
  { value: "unlisted", text: "不列出", note: "不出现在任何列表里，知道地址的人能看" },
  { value: "private", text: "私密", note: "只有自己能看" },
] as const;

export const visibilityText = (value: string): string =>
  VISIBILITIES.find((one) => one.value === value)?.text ?? value;

export const REASONS = [
  { value: "copyright", text: "侵犯版权" },
  { value: "illegal", text: "违法违规" },
  { value: "vulgar", text: "低俗内容" },
  { value: "spam", text: "广告骚扰" },
  { value: "other", text: "其他" },
] as const;

/** Actions that a work's state allows to its author. */
export function allowed({ state, editState, modelState }: WorksMyWork) {
  const waiting = state === "review" || editState === "review";
  return {
    edit: !waiting && state !== "hidden",
    submit:
      !waiting &&
      modelState === "ready" &&
      (state === "draft" || state === "refused" || editState === "editing" || editState === "refused"),
    withdraw: waiting || state === "published",
    relist: state === "withdrawn",
    delete: !waiting,
  };
}

export const editPath = (worksId: string): string => `${MINE}?id=${encodeURIComponent(worksId)}`;
/** Shares of a work; without an id all of the user's shares. */
export const sharePath = (worksId = ""): string => `${MINE}?share=${encodeURIComponent(worksId)}`;
export const labelPath = (label: string): string => `${CLASSIFY}?label=${encodeURIComponent(label)}`;

/** Address of a card; always on this site, whatever the response says. */
export function workPath({ prevPath, id }: Pick<WorksWorkCard, "prevPath" | "id">): string {
  return /^\/(?![/\\])/.test(prevPath) ? prevPath : `/production/detail?worksId=${encodeURIComponent(id)}`;
}
