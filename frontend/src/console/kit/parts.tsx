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
  /** Titles of the areas, in the order of the rail, with what each of them names. */
  named: readonly { title: string; ids: readonly string[] }[];
}

const Context = createContext<Parts>({ cards: [], userPanels: [], names: {}, named: [] });
export const PartsProvider = Context.Provider;
export const useParts = (): Parts => useContext(Context);

/** The name of a call or a permission; without a name its id is shown. */
export function useNameOf(): (id: string) => string {
  const { names } = useParts();
  return (id) => names[id] ?? id;
}

/** Groups ids of calls or permissions by the area that names them; what none names comes last. */
export function useByArea(): <T extends { id: string }>(
  list: readonly T[],
) => { title: string; items: T[] }[] {
  const { named } = useParts();
  return (list) => {
    const known = new Set(named.flatMap(({ ids }) => ids));
    return [
      ...named.map(({ title, ids }) => ({
        title,
        items: ids.flatMap((id) => list.filter((one) => one.id === id)),
      })),
      { title: "其他", items: list.filter(({ id }) => !known.has(id)) },
    ].filter(({ items }) => items.length > 0);
  };
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
