import { askedAt } from "@/lib/asked";
import { holdBack } from "@/lib/later";
import type { Viewer } from "../engine/Viewer";
import { loadViewer } from "./loadViewer";

export interface ModelSources {
  url: string;
  proxyUrl?: string;
}

/** A viewer that is not in the page yet, and what it has begun to load. */
interface EarlyViewer {
  viewer: Viewer;
  sources?: ModelSources;
}

let early: Promise<EarlyViewer | undefined> | undefined;

async function make(): Promise<EarlyViewer | undefined> {
  try {
    const engine = await loadViewer();
    const viewer = new engine.Viewer();
    viewer.stage.warmUp().catch(() => undefined);
    return { viewer };
  } catch {
    // the page's own viewer reports it
    return undefined;
  }
}

/** Milliseconds that other work waits for a first picture at most. */
const PATIENCE = 5_000;

let goOn: (() => void) | undefined;

/** Lets other work go on once the viewer has drawn something, or could not. */
function watch({ viewer }: EarlyViewer): void {
  viewer.state.subscribe(() => {
    const { turnableIn, phase } = viewer.state.get();
    if (turnableIn !== undefined || phase === "failed") goOn?.();
  });
}

/**
 * Makes a viewer before the page that will show it is drawn: it starts, and compiles, beside the page's own work. Work that
 * can wait does, until its first picture.
 */
export function makeEarly(): void {
  if (early) return;
  early = make();
  void holdBack(
    new Promise<void>((resolve) => {
      goOn = resolve;
      setTimeout(resolve, PATIENCE);
    }),
  );
  void early.then((made) => (made ? watch(made) : goOn?.()));
}

/** Begins to load a model in the viewer made so, if there is one. */
export function loadEarly(sources: ModelSources): void {
  early = early?.then((made) => {
    if (!made || made.sources) return made;
    void made.viewer.load({ ...sources, since: askedAt() });
    return { ...made, sources };
  });
}

/** Disposes of the early viewer, if no stage has taken it. */
export function dropEarly(): void {
  const dropped = early;
  early = undefined;
  if (!dropped) return;
  goOn?.();
  void dropped.then((made) => made?.viewer.dispose());
}

/** Hands the early viewer over, once. */
export async function takeEarly(): Promise<EarlyViewer | undefined> {
  const taken = early;
  early = undefined;
  const made = await taken;
  if (made?.viewer.state.get().fault !== "lost") return made;
  made.viewer.dispose();
  return undefined;
}
