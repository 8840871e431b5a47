import type { Word } from "../../kit/choices";

export const TYPES = [
  { value: "0", text: "问题" },
  { value: "1", text: "建议" },
  { value: "2", text: "需求" },
] as const;

export const STATES: readonly Word[] = [
  { value: "open", text: "待回复", tone: "warning" },
  { value: "answered", text: "已回复", tone: "success" },
  { value: "closed", text: "已关闭" },
];

export const pathOf = (id: string): string => `/feedback/${encodeURIComponent(id)}`;
export const userPath = (loginId: string): string => `/users/${encodeURIComponent(loginId)}`;
