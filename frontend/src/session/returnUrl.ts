import { getConfig } from "@/api/config";

export const LOGIN_PATH = "/login";

/**
 * A return address as a path of this site; `/` for everything else. Addresses come from the query
 * of links, which are untrusted, so another origin, another scheme or the login page itself is refused.
 */
export function safeReturnUrl(raw: string | null | undefined): string {
  if (!raw || raw.length > 2048) return "/";
  let url: URL;
  try {
    url = new URL(raw, window.location.origin);
  } catch {
    return "/";
  }
  if (url.origin !== window.location.origin) return "/";
  if (url.username || url.password) return "/";
  const path = `${url.pathname}${url.search}${url.hash}`;
  // As an address of the browser, `//host` would leave the site.
  if (path.startsWith("//")) return "/";
  return url.pathname.replace(/\/+$/, "") === LOGIN_PATH ? "/" : path;
}

/** Where a visitor signs in: the configured login system, else our own page. */
export function loginAddress(returnPath: string): { href: string; external: boolean } {
  const external = getConfig().loginUrl;
  if (!external) {
    return { href: `${LOGIN_PATH}?returnURL=${encodeURIComponent(returnPath)}`, external: false };
  }
  const absolute = new URL(returnPath, window.location.origin).href;
  const separator = external.includes("?") ? "&" : "?";
  return { href: `${external}${separator}returnURL=${encodeURIComponent(absolute)}`, external: true };
}
