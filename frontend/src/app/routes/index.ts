import type { ComponentType } from "react";
import { type PagePath, paths } from "../paths";
import { loaders as generated } from "./generated";

export type PageModule = { default: ComponentType };
export type Load = () => Promise<PageModule>;

export interface AppRoute extends PagePath {
  /** Loads the page on demand. Absent: the page is not open. */
  load?: Load;
}

/** Loaders of all open pages, each by its path. */
export const loaders: Readonly<Record<string, Load>> = generated;

export const routes: readonly AppRoute[] = paths.map((page) => ({ ...page, load: loaders[page.path] }));
