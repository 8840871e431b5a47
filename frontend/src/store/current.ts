import type { AppStore } from ".";

let current: AppStore | undefined;

/** The store of the running page, for code outside React; set when the page starts. */
export function bindStore(store: AppStore): void {
  current = store;
}

export function currentStore(): AppStore {
  if (!current) throw new Error("the store was asked for before the page started");
  return current;
}
