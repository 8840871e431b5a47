export interface CookieOptions {
  /** Lifetime in days. */
  days: number;
  /** Domain across which the cookie is shared, for example `.xuanlan.cn`; absent: this host only. */
  domain?: string;
}

/** Value of a cookie, or an empty string. */
export function readCookie(name: string): string {
  const prefix = `${encodeURIComponent(name)}=`;
  for (const part of document.cookie.split("; ")) {
    if (!part.startsWith(prefix)) continue;
    try {
      return decodeURIComponent(part.slice(prefix.length));
    } catch {
      return "";
    }
  }
  return "";
}

/** The `Set-Cookie` text, separate from writing it so that lifetime and domain can be tested. */
export function cookieText(
  name: string,
  value: string,
  { days, domain }: CookieOptions,
  secure: boolean,
): string {
  const parts = [
    `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    "Path=/",
    `Max-Age=${Math.round(days * 86_400)}`,
    "SameSite=Lax",
  ];
  if (domain) parts.push(`Domain=${domain}`);
  if (secure) parts.push("Secure");
  return parts.join("; ");
}

export function writeCookie(name: string, value: string, options: CookieOptions): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in several browsers we support
  document.cookie = cookieText(name, value, options, window.location.protocol === "https:");
}

export function removeCookie(name: string, domain?: string): void {
  writeCookie(name, "", { days: 0, domain });
  // A cookie written before the domain was configured belongs to the bare host.
  if (domain) writeCookie(name, "", { days: 0 });
}
