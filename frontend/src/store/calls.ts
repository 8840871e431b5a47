import type { Middleware, Reducer, UnknownAction } from "@reduxjs/toolkit";

/** The parts of the API client that the store needs. */
export interface CallCache {
  reducer: Reducer;
  middleware: Middleware;
  /** Empties every cached response. */
  reset: () => UnknownAction;
}

let attached: CallCache | undefined;
let waiting: ((cache: CallCache) => void)[] = [];

/**
 * Registers the API client with the stores. Its module does so when it is loaded: the first load of a page without
 * calls does not include it.
 */
export function attachCalls(cache: CallCache): void {
  attached = cache;
  for (const use of waiting) use(cache);
  waiting = [];
}

/** Runs `use` with the API client: at once if it is loaded, else as soon as it is. */
export function whenAttached(use: (cache: CallCache) => void): void {
  if (attached) use(attached);
  else waiting.push(use);
}

/** Empties the caches; does nothing before the client is loaded. */
export function resetCalls(dispatch: (action: UnknownAction) => unknown): void {
  if (attached) dispatch(attached.reset());
}
