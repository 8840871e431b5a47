import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ViewerFault } from "../engine/errors";
import { idle, type ViewerState } from "../engine/state";
import { Store } from "../engine/store";
import type { TilesViewer } from "../engine/TilesViewer";
import type { Viewer } from "../engine/Viewer";

/** Shown before the engine is loaded. */
export const waiting = new Store<ViewerState>({ ...idle, phase: "loading" });

export function useStore<T extends object>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

export interface EngineHold<E> {
  holder: React.RefObject<HTMLDivElement | null>;
  engine: E | undefined;
  fault: ViewerFault | undefined;
  /** disposes of the engine and starts a new one, after the context was lost */
  restart: () => void;
}

/** Ties an engine's lifetime to its element. `make` loads three.js on demand: pages without a viewer never fetch it. */
export function useEngine<E extends { dispose(): void }>(
  make: (holder: HTMLElement) => Promise<E>,
): EngineHold<E> {
  const holder = useRef<HTMLDivElement | null>(null);
  const [engine, setEngine] = useState<E>();
  const [fault, setFault] = useState<ViewerFault>();
  const [round, setRound] = useState(0);
  const maker = useRef(make);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round needs a new engine
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    let closed = false;
    let made: E | undefined;
    maker.current(element).then(
      (fresh) => {
        if (closed) {
          fresh.dispose();
          return;
        }
        made = fresh;
        setEngine(fresh);
        setFault(undefined);
      },
      (error: { fault?: ViewerFault }) => {
        if (!closed) setFault(error.fault ?? "network");
      },
    );
    return () => {
      closed = true;
      made?.dispose();
      setEngine(undefined);
    };
  }, [round]);

  return { holder, engine, fault, restart: () => setRound((n) => n + 1) };
}

/** Loads the engine; called early where a stage will follow. */
export const loadViewer = () => import(/* webpackChunkName: "viewer-engine" */ "../engine/Viewer");

export const makeViewer = async (holder: HTMLElement): Promise<Viewer> => {
  const engine = await loadViewer();
  return new engine.Viewer(holder);
};

export const makeTilesViewer = async (holder: HTMLElement): Promise<TilesViewer> => {
  const engine = await import(/* webpackChunkName: "tiles-engine" */ "../engine/TilesViewer");
  return new engine.TilesViewer(holder);
};
