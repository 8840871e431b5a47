import { matchPath } from "react-router";
import { paths } from "./paths";

/** Public to look at, but a 401 answered there sends to sign-in. */
const PUBLIC_BUT_PRIVATE_CALLS = ["/pricePage"];

function pathOnly(path: string): string {
  return path.split(/[?#]/, 1)[0] || "/";
}

/** Whether a 401 on this page sends the visitor to sign-in. */
export function isPrivatePath(path: string): boolean {
  const pathname = pathOnly(path).replace(/\/+$/, "") || "/";
  if (pathname === "/workbench" || pathname.startsWith("/workbench/")) return true;
  if (PUBLIC_BUT_PRIVATE_CALLS.includes(pathname)) return true;
  return paths.some((page) => page.access !== "public" && matchPath(page.path, pathname) !== null);
}
