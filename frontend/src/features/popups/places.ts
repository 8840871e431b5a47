/** Types of ads: home page and workbench. */
export const HOME = 1;
export const WORKBENCH = 2;
export type Place = typeof HOME | typeof WORKBENCH;

const PAGES: Record<Place, RegExp> = {
  [HOME]: /^\/(index[12])?$/,
  [WORKBENCH]: /^\/workbench(\/index(1|Old))?\/?$/,
};

/** The ad type of a page, if it has ads. */
export function placeOf(pathname: string): Place | undefined {
  return ([HOME, WORKBENCH] as const).find((place) => PAGES[place].test(pathname));
}

/** Whether a page may show a member popup: entry pages only, so as not to interrupt work. */
export function memberPopupAt(pathname: string): boolean {
  return placeOf(pathname) !== undefined || pathname.startsWith("/workbench/account");
}
