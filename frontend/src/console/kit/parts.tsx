import { type ComponentType, createContext, lazy, Suspense, useContext } from "react";
import { loadChunk } from "@/lib/chunk";
import type { OverviewCard, UserPanel } from "./contract";
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

// biome-ignore lint/suspicious/noExplicitAny: the props depend on the part
const loaded = new WeakMap<object, ComponentType<any>>();

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
