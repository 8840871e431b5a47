import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { askedAt, markAsked } from "@/lib/asked";
import { painted } from "@/lib/painted";
import type { ViewerFault } from "../engine/errors";
import { idle, type ViewerState } from "../engine/state";
import { Store } from "../engine/store";
import type { TilesViewer } from "../engine/TilesViewer";
import type { Viewer } from "../engine/Viewer";
import { modelAhead } from "./ahead";
import { type ModelSources, takeEarly } from "./early";
import { loadViewer } from "./loadViewer";

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

interface Sources extends ModelSources {
  posterUrl?: string;
}

const same = (a: ModelSources | undefined, b: ModelSources) => a?.url === b.url && a.proxyUrl === b.proxyUrl;

export interface ViewerHold extends EngineHold<Viewer> {
  state: ViewerState;
  /** loads the model again, after a failure */
  retry: () => void;
}

/**
 * A viewer that shows these sources. It loads as soon as it is made, before the page's tools are drawn for it.
 *
 * @param prepare called before each load
 */
export function useViewer(sources: Sources, prepare?: (viewer: Viewer) => void): ViewerHold {
  const { url, proxyUrl, posterUrl } = sources;
  const latest = useRef({ url, proxyUrl, prepare });
  latest.current = { url, proxyUrl, prepare };
  const begun = useRef<ModelSources & { viewer: Viewer }>(undefined);
  const [begin] = useState(() => (viewer: Viewer) => {
    const { prepare: first, ...wanted } = latest.current;
    begun.current = { viewer, ...wanted };
    first?.(viewer);
    void viewer.load({ ...wanted, since: askedAt() });
  });
  const hold = useEngine(async (holder) => {
    const early = await takeEarly();
    const viewer = early?.viewer ?? new (await loadViewer()).Viewer();
    // A model that is there already is drawn after the page and its poster: without a graphics card that takes a while.
    if (early) await painted();
    viewer.attach(holder);
    const { prepare: first, ...wanted } = latest.current;
    if (same(early?.sources, wanted)) {
      begun.current = { viewer, ...wanted };
      first?.(viewer);
    } else begin(viewer);
    return viewer;
  });
  const { engine: viewer, fault, restart } = hold;
  const state = useStore(viewer?.state ?? waiting);
  useEffect(() => modelAhead({ proxyUrl, posterUrl }), [proxyUrl, posterUrl]);
  useEffect(() => {
    const { current } = begun;
    if (viewer && !(current?.viewer === viewer && same(current, { url, proxyUrl }))) begin(viewer);
  }, [viewer, url, proxyUrl, begin]);
  const retry = () => {
    if (fault || state.fault === "lost") restart();
    else if (viewer) {
      markAsked();
      begin(viewer);
    }
  };
  return { ...hold, state, fault: fault ?? state.fault, retry };
}

export const makeTilesViewer = async (holder: HTMLElement): Promise<TilesViewer> => {
  const engine = await import(/* webpackChunkName: "tiles-engine" */ "../engine/TilesViewer");
  return new engine.TilesViewer(holder);
};
