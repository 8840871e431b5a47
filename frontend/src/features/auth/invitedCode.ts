import { sessionStore } from "@/lib/storage";
import { cleanPromotion } from "./rules";

const KEY = "xuanlan.invitedCode";

/** Keeps the code of an invitation link for this tab: its visitor may register on another page, or come back from a third party. */
export function rememberCode(code: string): void {
  sessionStore.set(KEY, cleanPromotion(code));
}

export const rememberedCode = (): string => cleanPromotion(sessionStore.get(KEY) ?? "");

export const forgetCode = (): void => sessionStore.remove(KEY);
