import { type ComponentType, createContext, lazy, Suspense, useContext } from "react";
import { loadChunk } from "@/lib/chunk";
import type { OverviewCard, UserPanel } from "./contract";
import { RowsLoading } from "./states";

/** What the areas have put in, as far as this operator may see it; the frame fills it, so that no area knows another. */
export interface Parts {
  cards: readonly OverviewCard[];
  userPanels: readonly UserPanel[];
  /** Names of calls and permissions. */
  names: Readonly<Record<string, string>>;
}

const Context = createContext<Parts>({ cards: [], userPanels: [], names: {} });
export const PartsProvider = Context.Provider;
export const useParts = (): Parts => useContext(Context);

// biome-ignore lint/suspicious/noExplicitAny: what a part takes is told by its kind
const loaded = new WeakMap<object, ComponentType<any>>();

/** What a call or a permission is called; what no area has named is shown as it is. */
export function useNameOf(): (id: string) => string {
  const { names } = useParts();
  return (id) => names[id] ?? id;
}

/** A part of a module, loaded when it is drawn. */
export function Part<P extends object>({
  part,
  props,
}: {
  part: { load: () => Promise<{ default: ComponentType<P> }> };
  props: P;
}) {
  let Component = loaded.get(part);
  if (!Component) {
    Component = lazy(() => loadChunk(part.load));
    loaded.set(part, Component);
  }
  return (
    <Suspense fallback={<RowsLoading rows={3} />}>
      <Component {...props} />
    </Suspense>
  );
}
