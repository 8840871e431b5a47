import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";

// biome-ignore lint/suspicious/noExplicitAny: the store's state holds what the areas add to it
type Dispatch = ThunkDispatch<any, unknown, UnknownAction>;

let dispatch: Dispatch | undefined;

/** The store that asks; the console has one. */
export function bindDispatch(to: Dispatch): void {
  dispatch = to;
}

interface Running<T> {
  unwrap: () => Promise<T>;
  abort: () => void;
  unsubscribe: () => void;
}

/** Asks once, outside of React: its answer is kept by no component. */
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
