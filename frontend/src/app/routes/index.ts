import type { ComponentType } from "react";
import { type PagePath, paths } from "../paths";
import { loaders as generated } from "./generated";

export interface PageModule {
  default: ComponentType;
  /** Begins loading what the page will show, before the first drawing of the site. Reports no failure: the page does. */
  ahead?: (address: URL) => void;
}
export type Load = () => Promise<PageModule>;

export interface AppRoute extends PagePath {
  /** Loads the page on demand. Absent: the page is not open. */
  load?: Load;
}

/** Loaders of all open pages, each by its path. */
export const loaders: Readonly<Record<string, Load>> = generated;

export const routes: readonly AppRoute[] = paths.map((page) => ({ ...page, load: loaders[page.path] }));
