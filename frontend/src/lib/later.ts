let held: Promise<unknown> | undefined;

/** Holds back work that nobody waits for, until what the page shows first is there or has failed. */
export function holdBack<T>(until: Promise<T>): Promise<T> {
  held = Promise.allSettled([held, until]);
  return until;
}

/** Resolves when nothing is held back any more; at once where nothing was. */
export async function later(): Promise<void> {
  for (let seen: unknown; seen !== held; ) {
    seen = held;
    await seen;
  }
}
