import { routes } from "./routes";

let open: ReadonlySet<string> | undefined;

/** Whether the page at this address has been built; queries and anchors are left aside. */
export function isOpenPath(address: string): boolean {
  open ??= new Set(routes.filter((route) => route.load).map((route) => route.path));
  const path = address.split(/[?#]/)[0] ?? address;
  return open.has(path === "" ? "/" : path);
}
