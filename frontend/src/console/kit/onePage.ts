import { createContext } from "react";

/** The page of one object that is being opened, and the list it belongs to. */
export interface OnePage {
  title: string;
  back: { to: string; text: string };
}

/** For what loads the object; undefined within the object's page, and on pages that load none. */
export const OnePageContext = createContext<OnePage | undefined>(undefined);
