import { accountPaths } from "./account";
import { applicationsPaths } from "./applications";
import type { PagePath } from "./area";
import { contentPaths } from "./content";
import { landingPaths } from "./landing";
import { mallPaths } from "./mall";
import { matchupPaths } from "./matchup";
import { publishPaths } from "./publish";
import { sitePaths } from "./site";
import { topologyPaths } from "./topology";
import { workbenchPaths } from "./workbench";
import { worksPaths } from "./works";

export { type Access, type LayoutName, layoutNames, type PagePath } from "./area";

/** Every page of docs/routes.txt and our own, by area; scripts/coverage and the journeys read these files too. */
export const paths: readonly PagePath[] = [
  ...sitePaths,
  ...contentPaths,
  ...landingPaths,
  ...mallPaths,
  ...worksPaths,
  ...matchupPaths,
  ...applicationsPaths,
  ...topologyPaths,
  ...publishPaths,
  ...workbenchPaths,
  ...accountPaths,
];

let open: ReadonlySet<string> | undefined;

/** Whether the page at this address has been built; queries and anchors are left aside. */
export function isOpenPath(address: string): boolean {
  open ??= new Set(paths.filter((page) => page.open).map((page) => page.path));
  const path = address.split(/[?#]/)[0] ?? address;
  return open.has(path === "" ? "/" : path);
}
