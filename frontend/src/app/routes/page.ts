import type { ComponentType } from "react";
import type { PagePath } from "../paths";

export type PageModule = { default: ComponentType };
export type Load = () => Promise<PageModule>;

/** A loader for each open page of an area: the compiler misses one that is missing and refuses one too many. */
export type Loaders<Area extends readonly PagePath[]> = Readonly<
  Record<Extract<Area[number], { open: true }>["path"], Load>
>;

export interface AppRoute extends PagePath {
  /** Loads the page on demand. Absent: the page is not open yet. */
  load?: Load;
}
