import { standIn } from "./standIn";

/** Gives the page locks, which jsdom has not and every test begins with; returns the names of those that were requested. For the rest of the test. */
export function fakeLocks(): string[] {
  const names: string[] = [];
  const last = new Map<string, Promise<unknown>>();
  const request = (name: string, work: () => Promise<unknown>) => {
    names.push(name);
    const done = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, done);
    return done;
  };
  giveLocks({ request });
  return names;
}

/** Takes them away, as a browser does from a page that is not secure. For the rest of the test. */
export function noLocks(): void {
  standIn(navigator, "locks", undefined as never);
}

/** What the page finds as `navigator.locks`. */
export function giveLocks(locks: {
  request: (name: string, work: () => Promise<unknown>) => Promise<unknown>;
}) {
  standIn(navigator, "locks", locks as LockManager);
}
