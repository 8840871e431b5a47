import { localStore } from "@/lib/storage";

const KEY = "xuanlan.console.device";

/** Tells this browser from those of strangers when somebody guesses; it signs nobody in. */
export const readDevice = (): string => localStore.get(KEY) ?? "";

export function keepDevice(key: string): void {
  localStore.set(KEY, key);
}
