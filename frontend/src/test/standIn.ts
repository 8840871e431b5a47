const undo: (() => void)[] = [];

/** Defines or replaces a property that jsdom lacks or a test overrides, until the test ends. */
export function standIn<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  undo.push(() => {
    if (before) Object.defineProperty(target, name, before);
    else delete target[name];
  });
}

export function standInsGone(): void {
  for (const put of undo.splice(0).reverse()) put();
}

/** Object URLs, which jsdom lacks. */
export function standInObjectUrls(address: string): void {
  standIn(URL, "createObjectURL", () => address);
  standIn(URL, "revokeObjectURL", () => undefined);
}
