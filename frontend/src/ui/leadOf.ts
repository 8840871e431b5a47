import { Link } from "react-router";
import { safeHref } from "./safeHref";

/**
 * Link properties for an address from the server: a page of the site, or another site in a new tab;
 * undefined if it is not a valid target.
 */
export function leadOf(address: string | null | undefined) {
  if (address && /^\/(?![/\\])/.test(address)) return { component: Link, to: address };
  const href = address?.includes("://") ? safeHref(address) : undefined;
  return href ? { component: "a" as const, href, target: "_blank", rel: "noopener noreferrer" } : undefined;
}
