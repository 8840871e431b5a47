import { professions } from "@/messages/professions";
import type { Word } from "../../kit/choices";

export const USER_STATES: readonly Word[] = [
  { value: "active", text: "正常", tone: "success" },
  { value: "frozen", text: "已冻结", tone: "danger" },
];

export const PROFESSIONS: readonly Word[] = professions.map(({ code, label }) => ({
  value: code,
  text: label,
}));

/** Those one can sign in at. */
export const PROVIDERS: readonly Word[] = [
  { value: "wechat", text: "微信" },
  { value: "qq", text: "QQ" },
];

/** A search text as the server knows it: a phone number has neither spaces nor the country's code. */
export function searchText(text: string): string {
  const digits = text.replace(/[\s-]/g, "").replace(/^(?:\+|00)86/, "");
  return /^(?:86)?1\d{10}$/.test(digits) ? digits.slice(-11) : text.trim();
}

/** A user's name in a sentence: the nickname, else the account number. */
export const nameOf = (user: { nickname: string; accountNumber: string; loginId: string }): string =>
  user.nickname || user.accountNumber || user.loginId;

export const userPath = (loginId: string): string => `/users/${encodeURIComponent(loginId)}`;
