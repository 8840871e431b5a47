/** An observable value for React (useSyncExternalStore) and plain code. */
export class Store<T extends object> {
  private value: T;
  private readonly listeners = new Set<() => void>();

  constructor(initial: T) {
    this.value = initial;
  }

  get = (): T => this.value;

  set(change: Partial<T>): void {
    let same = true;
    for (const key of Object.keys(change) as (keyof T)[]) {
      if (this.value[key] !== change[key]) same = false;
    }
    if (same) return;
    this.value = { ...this.value, ...change };
    for (const listener of this.listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
