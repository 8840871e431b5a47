import { sessionStore } from "@/lib/storage";
import { cleanPromotion } from "./rules";

const KEY = "xuanlan.invitedCode";

/** Keeps the code of an invitation link for this tab: its visitor may register on another page, or come back from a third party. */
export function rememberCode(code: string): void {
  sessionStore.set(KEY, cleanPromotion(code));
}

export const rememberedCode = (): string => cleanPromotion(sessionStore.get(KEY) ?? "");

/** Codes are the same in either case. */
export const isSameCode = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase();

/** Forgets the remembered code if it is this one. */
export function forgetCode(code: string): void {
  if (isSameCode(code, rememberedCode())) sessionStore.remove(KEY);
}
