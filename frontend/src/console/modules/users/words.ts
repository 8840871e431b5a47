import type { Word } from "../../kit/choices";

export const USER_STATES: readonly Word[] = [
  { value: "active", text: "正常", tone: "success" },
  { value: "frozen", text: "已冻结", tone: "danger" },
];

/** A user's name in a sentence: the nickname, else the account number. */
export const nameOf = (user: { nickname: string; accountNumber: string; loginId: string }): string =>
  user.nickname || user.accountNumber || user.loginId;

export const userPath = (loginId: string): string => `/users/${encodeURIComponent(loginId)}`;
