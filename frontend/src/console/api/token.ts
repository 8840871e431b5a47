import { sessionStore } from "@/lib/storage";

const KEY = "xuanlan.console.token";

/** Of this tab alone: pages of other origins would send a cookie too. */
let current: string | undefined;

export function readToken(): string {
  current ??= sessionStore.get(KEY) ?? "";
  return current;
}

export function keepToken(token: string): void {
  current = token;
  sessionStore.set(KEY, token);
}

export function dropToken(): void {
  current = "";
  sessionStore.remove(KEY);
}
