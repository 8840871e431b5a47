import { paths } from "../paths";
import { accountLoaders } from "./account";
import { applicationsLoaders } from "./applications";
import { contentLoaders } from "./content";
import { mallLoaders } from "./mall";
import type { AppRoute, Load } from "./page";
import { publishLoaders } from "./publish";
import { siteLoaders } from "./site";
import { workbenchLoaders } from "./workbench";

export type { AppRoute, Load, PageModule } from "./page";

/** Loaders of all open pages, each by its path. */
export const loaders: Readonly<Record<string, Load>> = {
  ...siteLoaders,
  ...contentLoaders,
  ...mallLoaders,
  ...applicationsLoaders,
  ...publishLoaders,
  ...workbenchLoaders,
  ...accountLoaders,
};

export const routes: readonly AppRoute[] = paths.map((page) => ({ ...page, load: loaders[page.path] }));
