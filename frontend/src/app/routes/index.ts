import { paths } from "../paths";
import { accountLoaders } from "./account";
import { applicationsLoaders } from "./applications";
import { contentLoaders } from "./content";
import { landingLoaders } from "./landing";
import { mallLoaders } from "./mall";
import { matchupLoaders } from "./matchup";
import type { AppRoute, Load } from "./page";
import { publishLoaders } from "./publish";
import { siteLoaders } from "./site";
import { topologyLoaders } from "./topology";
import { workbenchLoaders } from "./workbench";
import { worksLoaders } from "./works";

export type { AppRoute, Load, PageModule } from "./page";

/** Loaders of all open pages, each by its path. */
export const loaders: Readonly<Record<string, Load>> = {
  ...siteLoaders,
  ...contentLoaders,
  ...landingLoaders,
  ...mallLoaders,
  ...matchupLoaders,
  ...worksLoaders,
  ...applicationsLoaders,
  ...publishLoaders,
  ...topologyLoaders,
  ...workbenchLoaders,
  ...accountLoaders,
};

export const routes: readonly AppRoute[] = paths.map((page) => ({ ...page, load: loaders[page.path] }));
