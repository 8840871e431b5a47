import { type Area, type layoutNames, type Path, rows } from "./generated";

export { type Area, HOME_PATHS, HOME_TITLE, layoutNames, type Path, type SoonArea } from "./generated";

export type LayoutName = (typeof layoutNames)[number];

/** A page of `pages.tsv`, whose header explains the columns. Imports no page's script. */
export interface PagePath {
  path: string;
  /** Title of the document, without the product's name. */
  title: string;
  layout: LayoutName;
  access: "public" | "login" | "asks";
  state: "open" | "soon" | "gone";
  area: Area;
}

/** The target of a link on the site: a page, with or without a query or an anchor. */
export type Address = Path | `${Path}?${string}` | `${Path}#${string}`;

export const paths: readonly PagePath[] = rows;

/** The address of a page without its optional parameters. */
export const plainPath = (page: PagePath) => page.path.replace(/\/:\w+\?/g, "");

let open: ReadonlySet<string> | undefined;

/** Whether the page at this address has been built; queries and anchors are ignored. */
export function isOpenPath(address: string): boolean {
  open ??= new Set(paths.filter((page) => page.state === "open").map(plainPath));
  const path = address.split(/[?#]/)[0] ?? address;
  return open.has(path === "" ? "/" : path);
}
