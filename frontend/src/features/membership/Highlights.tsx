import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import type { Offer } from "./grades";

/** The highlights of an edition; three skeletons until the offer is loaded. */
export function highlightLines(offer: Offer | undefined): readonly { key: string; line: ReactNode }[] {
  if (offer) return offer.highlights.map((line) => ({ key: line, line }));
  return ["a", "b", "c"].map((key) => ({ key, line: <Skeleton variant="text" width={120} /> }));
}
