/** Types of ads: the home page's, and the workbench's. */
export const HOME = 1;
export const WORKBENCH = 2;
export type Place = typeof HOME | typeof WORKBENCH;

const PAGES: Record<Place, RegExp> = {
  [HOME]: /^\/(index[12])?$/,
  [WORKBENCH]: /^\/workbench(\/index(1|Old))?\/?$/,
};

/** The place of ads that a page is, if it is one. */
export function placeOf(pathname: string): Place | undefined {
  return ([HOME, WORKBENCH] as const).find((place) => PAGES[place].test(pathname));
}

/** Whether a member popup may come: where somebody arrives, not in the middle of work. */
export function memberPopupAt(pathname: string): boolean {
  return placeOf(pathname) !== undefined || pathname.startsWith("/workbench/account");
}
