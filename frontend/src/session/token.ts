import { localStore } from "@/lib/storage";

/** Response of a token call. `expiresIn` in seconds. */
export interface TokenReply {
  token: string;
  loginId: string;
  expiresIn?: number;
}

/** Parses the JSON text in `datas` of the token calls, and stores the device's key; undefined if it is invalid. */
export function parseTokenReply(datas: unknown): TokenReply | undefined {
  if (typeof datas !== "string") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(datas);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { access_token: token, loginId, expires_in: life, device } = value as Record<string, unknown>;
  if (typeof token !== "string" || !token) return undefined;
  if ((typeof loginId !== "string" && typeof loginId !== "number") || loginId === "") return undefined;
  if (typeof device === "string" && device) localStore.set(DEVICE_KEY, device);
  const expiresIn = typeof life === "number" && life > 0 ? life : undefined;
  return { token, loginId: String(loginId), expiresIn };
}

const DEVICE_KEY = "xuanlan.device";

/** Key of this browser, from its last sign-in: failed guesses from other devices do not lock its owner out. */
export function deviceKey(): string {
  return localStore.get(DEVICE_KEY) ?? "";
}

const EXPIRY_KEY = "xuanlan.tokenExpiry";
/** A token is renewed when a fifth of its lifetime is left, and at least this long before its end. */
const MARGIN_MS = 60_000;
/** `setTimeout` wraps around above this. */
const MAX_TIMER_MS = 2_147_000_000;

interface Expiry {
  issuedAt: number;
  expiresAt: number;
}

export function rememberExpiry(expiresIn: number | undefined, now = Date.now()): void {
  if (!expiresIn) {
    localStore.remove(EXPIRY_KEY);
    return;
  }
  const expiry: Expiry = { issuedAt: now, expiresAt: now + expiresIn * 1000 };
  localStore.set(EXPIRY_KEY, JSON.stringify(expiry));
}

export function forgetExpiry(): void {
  localStore.remove(EXPIRY_KEY);
}

/** Milliseconds until the token should be renewed, at least 0; undefined if its lifetime is unknown. */
export function renewDelay(now = Date.now()): number | undefined {
  const text = localStore.get(EXPIRY_KEY);
  if (!text) return undefined;
  let expiry: Partial<Expiry>;
  try {
    expiry = JSON.parse(text) as Partial<Expiry>;
  } catch {
    return undefined;
  }
  const { issuedAt, expiresAt } = expiry;
  if (typeof issuedAt !== "number" || typeof expiresAt !== "number") return undefined;
  const margin = Math.max(MARGIN_MS, (expiresAt - issuedAt) / 5);
  return Math.min(Math.max(0, expiresAt - margin - now), MAX_TIMER_MS);
}
