import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import type { Offer } from "./grades";

/** The three facts of an edition, line by line; while the server has not told them, as many empty lines. */
export function highlightLines(offer: Offer | undefined): readonly { key: string; line: ReactNode }[] {
  if (offer) return offer.highlights.map((line) => ({ key: line, line }));
  return ["a", "b", "c"].map((key) => ({ key, line: <Skeleton variant="text" width={120} /> }));
}
