import { deviceOf } from "@/lib/validators";

/**
 * Pages whose address differs on the phone site. The specification names these three and does not show
 * their targets: by default they keep their path below the configured address.
 */
export const MOBILE_PATHS: Readonly<Record<string, string>> = {
  "/transaction/detail": "/transaction/detail",
  "/activePage": "/activePage",
  "/operate/visualization": "/operate/visualization",
};

/**
 * The phone-site address for this page, or undefined to stay: on a desktop browser, without a
 * configured phone site, and on the phone site itself.
 */
export function mobileTarget(
  mobileUrl: string,
  page: Pick<Location, "origin" | "pathname" | "search" | "hash">,
  userAgent: string,
): string | undefined {
  if (!mobileUrl || deviceOf(userAgent) !== "mobile") return undefined;
  let site: URL;
  try {
    site = new URL(mobileUrl);
  } catch {
    return undefined;
  }
  if (site.protocol !== "https:" && site.protocol !== "http:") return undefined;
  if (site.origin === page.origin) return undefined;
  const path = page.pathname.replace(/(.)\/+$/, "$1");
  const below = site.pathname.replace(/\/+$/, "");
  site.pathname = `${below}${MOBILE_PATHS[path] ?? path}`;
  site.search = page.search;
  site.hash = page.hash;
  return site.href;
}
