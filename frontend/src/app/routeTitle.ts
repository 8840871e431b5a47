import { useMatches } from "react-router";
import type { PagePath } from "./paths";

/** What the register says of the page one is on; the page of an unknown address has a title alone. */
export type PageHandle = Pick<PagePath, "title"> & Partial<Pick<PagePath, "area">>;

export function usePageHandle(): PageHandle | undefined {
  return useMatches().at(-1)?.handle as PageHandle | undefined;
}

export function useRouteTitle(): string | undefined {
  return usePageHandle()?.title;
}
