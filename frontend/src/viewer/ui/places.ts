import { createContext, useContext } from "react";
import type { ModelPlace } from "../engine/places";

/** What a panel beside the stage can ask of the viewer. */
export interface PlaceFinder {
  /** false for what the shown model does not have */
  knows(place: ModelPlace): boolean;
  goTo(place: ModelPlace): void;
}

export const PlaceContext = createContext<PlaceFinder | undefined>(undefined);

/** Undefined outside a viewer, and until its model is there. */
export function usePlaces(): PlaceFinder | undefined {
  return useContext(PlaceContext);
}
