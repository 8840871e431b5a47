import { localStore } from "@/lib/storage";

const KEY = "xuanlan.console.device";

/** Distinguishes this browser from others when passwords are guessed; it does not authenticate. */
export const readDevice = (): string => localStore.get(KEY) ?? "";

export function keepDevice(key: string): void {
  localStore.set(KEY, key);
}
