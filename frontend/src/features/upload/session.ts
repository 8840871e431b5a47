import { storageOf } from "@/calls/storage";
import type { AppStore } from "@/store";
import { Line } from "@/transfer/line";
import { UploadRecords } from "@/transfer/records";
import type { UploadDeps } from "@/transfer/task";

/** Dependencies of this user's uploads. */
export function uploadDeps(store: AppStore, userId: string): UploadDeps {
  const records = recordsOf.get(userId) ?? new UploadRecords(userId);
  recordsOf.set(userId, records);
  return { ...storageOf(store, userId), records, line };
}

/** Network state shared by all uploads of the page. */
const line = new Line();

const recordsOf = new Map<string, UploadRecords>();
