import { localStore } from "@/lib/storage";

/** Names the application of this browser, and nothing else that it does. Kept once something was handed in. */
const KEY = "assetApplicant";
const ID = /^[0-9a-f]{32}$/;

/** Empty: this browser has handed nothing in. */
export function applicant(): string {
  const id = localStore.get(KEY) ?? "";
  return ID.test(id) ? id : "";
}

export const newApplicant = (): string => crypto.randomUUID().replaceAll("-", "");

export const keepApplicant = (id: string): void => void localStore.set(KEY, id);
