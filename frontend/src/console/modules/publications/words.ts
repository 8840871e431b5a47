import type { Word } from "../../kit/choices";

export const KINDS = [
  { value: "announcement", text: "公告" },
  { value: "popup", text: "广告弹窗" },
  { value: "memberPopup", text: "会员弹窗" },
  { value: "friendLink", text: "友情链接" },
  { value: "clientVersion", text: "客户端版本" },
] as const;

export type Kind = (typeof KINDS)[number]["value"];

export const STATES: readonly Word[] = [
  { value: "draft", text: "草稿" },
  { value: "scheduled", text: "待展示", tone: "info" },
  { value: "shown", text: "展示中", tone: "success" },
  { value: "ended", text: "已结束" },
  { value: "withdrawn", text: "已撤下", tone: "warning" },
];

/** The place whose popup is a step of the registration: that it is published is all that counts of it. */
export const AFTER_REGISTRATION = 0;

export const PLACES = [
  { value: 1, text: "首页" },
  { value: 2, text: "工作台" },
  { value: AFTER_REGISTRATION, text: "注册之后" },
] as const;

export const RULES = [
  { value: 0, text: "每天一次" },
  { value: 1, text: "每次访问" },
] as const;

export const pathOf = (id: string): string => `/publications/${encodeURIComponent(id)}`;
