import { useMatches } from "react-router";
import type { PagePath } from "./paths";

/** The register's entry of the current page; the page of an unknown address has only a title. */
export type PageHandle = Pick<PagePath, "title"> & Partial<Pick<PagePath, "area">>;

export function usePageHandle(): PageHandle | undefined {
  return useMatches().at(-1)?.handle as PageHandle | undefined;
}

export function useRouteTitle(): string | undefined {
  return usePageHandle()?.title;
}
