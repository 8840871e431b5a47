import { Link } from "react-router";
import { safeHref } from "./safeHref";

/**
 * What makes a link of an address that came from the server: a page of the site, or another site in a tab of its own;
 * undefined where it leads nowhere.
 */
export function leadOf(address: string | null | undefined) {
  if (address && /^\/(?![/\\])/.test(address)) return { component: Link, to: address };
  const href = address?.includes("://") ? safeHref(address) : undefined;
  return href ? { component: "a" as const, href, target: "_blank", rel: "noopener noreferrer" } : undefined;
}
