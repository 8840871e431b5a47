import { localStore } from "@/lib/storage";

/** Random id of this browser's application, used for nothing else. Stored once an application was submitted. */
const KEY = "assetApplicant";
const ID = /^[0-9a-f]{32}$/;

/** Empty if this browser has submitted nothing. */
export function applicant(): string {
  const id = localStore.get(KEY) ?? "";
  return ID.test(id) ? id : "";
}

export const newApplicant = (): string => crypto.randomUUID().replaceAll("-", "");

export const keepApplicant = (id: string): void => void localStore.set(KEY, id);
