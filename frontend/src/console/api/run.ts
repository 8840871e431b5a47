import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";

// biome-ignore lint/suspicious/noExplicitAny: the areas extend the store's state
type Dispatch = ThunkDispatch<any, unknown, UnknownAction>;

let dispatch: Dispatch | undefined;

/** Sets the store for calls; the console has one. */
export function bindDispatch(to: Dispatch): void {
  dispatch = to;
}

interface Running<T> {
  unwrap: () => Promise<T>;
  abort: () => void;
  unsubscribe: () => void;
}

/** Runs a query once, outside of React: no component keeps its result. */
export async function runQuery<T>(
  // biome-ignore lint/suspicious/noExplicitAny: the library's thunk carries the type of its endpoint
  thunk: (dispatch: any, state: any, extra: any) => Running<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (!dispatch) throw new Error("no store is bound");
  const running = dispatch(thunk);
  const stop = () => running.abort();
  signal?.addEventListener("abort", stop);
  try {
    return await running.unwrap();
  } finally {
    signal?.removeEventListener("abort", stop);
    running.unsubscribe();
  }
}
