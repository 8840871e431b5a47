import { createContext, useContext } from "react";
import type { OverviewCard, UserPanel } from "./contract";
import { Late, type Load } from "./Late";
import { RowsLoading } from "./states";

/** Contributions of the areas that this operator may see; the frame fills it, so that areas do not import each other. */
export interface Parts {
  cards: readonly OverviewCard[];
  userPanels: readonly UserPanel[];
  /** Names of calls and permissions. */
  names: Readonly<Record<string, string>>;
}

const Context = createContext<Parts>({ cards: [], userPanels: [], names: {} });
export const PartsProvider = Context.Provider;
export const useParts = (): Parts => useContext(Context);

/** The name of a call or a permission; without a name its id is shown. */
export function useNameOf(): (id: string) => string {
  const { names } = useParts();
  return (id) => names[id] ?? id;
}

/** A part of a module, loaded when it is drawn. */
export function Part<P extends object>({
  part,
  props,
}: {
  part: { title: string; load: Load<P> };
  props: P;
}) {
  return <Late load={part.load} props={props} what={part.title} waiting={<RowsLoading rows={3} />} />;
}
