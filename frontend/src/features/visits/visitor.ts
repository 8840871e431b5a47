import { getConfig } from "@/api/config";
import { readCookie, writeCookie } from "@/lib/cookies";

/** Identifies the browser, not the person. */
export const VISITOR_COOKIE = "visitor";

/** Lifetime of the cookie in days, renewed by each visit. */
export const VISITOR_DAYS = 365;

const ID = /^[0-9a-f]{32}$/;

/** Whether the browser asks not to be tracked: Do Not Track or Global Privacy Control. */
export function wantsNoTrace(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}

/** The id in the cookie; empty without one. */
export function visitorId(): string {
  const id = readCookie(VISITOR_COOKIE);
  return ID.test(id) ? id : "";
}

/** The id of this browser, created and stored if missing. */
export function keepVisitor(): string {
  const id = visitorId() || newId();
  writeCookie(VISITOR_COOKIE, id, { days: VISITOR_DAYS, domain: getConfig().cookieDomain || undefined });
  return id;
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
