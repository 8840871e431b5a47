import { matchPath } from "react-router";
import { paths } from "./paths";

function pathOnly(path: string): string {
  return path.split(/[?#]/, 1)[0] || "/";
}

/** Whether a 401 on this page sends the visitor to sign-in. */
export function isPrivatePath(path: string): boolean {
  const pathname = pathOnly(path).replace(/\/+$/, "") || "/";
  if (pathname === "/workbench" || pathname.startsWith("/workbench/")) return true;
  return paths.some((page) => page.access !== "public" && matchPath(page.path, pathname) !== null);
}
