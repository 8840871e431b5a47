import { createContext, useContext } from "react";
import type { ModelPlace } from "../engine/places";

/** The viewer's functions for a panel beside the stage. */
export interface PlaceFinder {
  /** false if the shown model does not have it */
  knows(place: ModelPlace): boolean;
  goTo(place: ModelPlace): void;
}

export const PlaceContext = createContext<PlaceFinder | undefined>(undefined);

/** Undefined outside a viewer, and until its model is loaded. */
export function usePlaces(): PlaceFinder | undefined {
  return useContext(PlaceContext);
}
