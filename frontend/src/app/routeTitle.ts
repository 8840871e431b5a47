import { useMatches } from "react-router";

/** Title of the page one is on, as the table of routes has it. */
export function useRouteTitle(): string | undefined {
  return (useMatches().at(-1)?.handle as { title?: string } | undefined)?.title;
}
