import { getConfig } from "@/api/config";
import { LOGIN_DAYS } from "@/facts/auth";
import { readCookie, removeCookie, writeCookie } from "@/lib/cookies";

export const TOKEN_COOKIE = "authorization";
export const LOGIN_ID_COOKIE = "loginId";

export function readToken(): string {
  return readCookie(TOKEN_COOKIE);
}

export function readLoginId(): string {
  return readCookie(LOGIN_ID_COOKIE);
}

export function writeLogin(token: string, loginId: string): void {
  const options = { days: LOGIN_DAYS, domain: getConfig().cookieDomain || undefined };
  writeCookie(TOKEN_COOKIE, token, options);
  writeCookie(LOGIN_ID_COOKIE, loginId, options);
}

export function clearLogin(): void {
  const domain = getConfig().cookieDomain || undefined;
  removeCookie(TOKEN_COOKIE, domain);
  removeCookie(LOGIN_ID_COOKIE, domain);
}
