import type { Word } from "../../kit/choices";

export const KINDS = [
  { value: "help", text: "帮助" },
  { value: "teach", text: "教程" },
  { value: "news", text: "新闻" },
  { value: "case", text: "案例" },
  { value: "solution", text: "解决方案" },
  { value: "campaign", text: "专题" },
  { value: "brochure", text: "产品手册" },
  { value: "product", text: "产品" },
] as const;

export type Kind = (typeof KINDS)[number]["value"];

export const readKind = (name: string | null): Kind =>
  KINDS.find(({ value }) => value === name)?.value ?? "help";

export const STATES: readonly Word[] = [
  { value: "draft", text: "草稿" },
  { value: "review", text: "待审", tone: "warning" },
  { value: "scheduled", text: "定时", tone: "info" },
  { value: "published", text: "已发布", tone: "success" },
  { value: "archived", text: "已撤下", tone: "warning" },
];

export const pathOf = (id: string): string => `/articles/${encodeURIComponent(id)}`;
