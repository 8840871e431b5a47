import type { Middleware, Reducer, UnknownAction } from "@reduxjs/toolkit";

/** What the store needs to know of the API client. */
export interface CallCache {
  reducer: Reducer;
  middleware: Middleware;
  /** Empties every cached response. */
  reset: () => UnknownAction;
}

let attached: CallCache | undefined;
let waiting: ((cache: CallCache) => void)[] = [];

/**
 * Gives the API client to the stores. It does so itself when its module is loaded: the first load of a page that
 * asks the server nothing goes without it.
 */
export function attachCalls(cache: CallCache): void {
  attached = cache;
  for (const use of waiting) use(cache);
  waiting = [];
}

/** Runs `use` with the API client: at once when it is loaded, else as soon as it is. */
export function whenAttached(use: (cache: CallCache) => void): void {
  if (attached) use(attached);
  else waiting.push(use);
}

/** Empties the caches; there is nothing to do before the client is loaded. */
export function resetCalls(dispatch: (action: UnknownAction) => unknown): void {
  if (attached) dispatch(attached.reset());
}
