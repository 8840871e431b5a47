import { storageOf } from "@/calls/storage";
import type { AppStore } from "@/store";
import { StorageError } from "@/transfer/errors";
import { plainName } from "@/transfer/fileRules";
import { backoffMs, objectKey, randomSegment } from "@/transfer/plan";
import { isAbort, type PartOptions } from "@/transfer/s3";
import { sleep } from "@/transfer/scheduler";

const TRIES = 3;

/** Uploads a small file in one request and returns its address for calls: `bucket/key`. */
export async function sendFile(
  app: AppStore,
  userId: string,
  file: File,
  options: PartOptions,
): Promise<string> {
  const { credentials, store } = storageOf(app, userId);
  const { privateBucket } = await credentials.get();
  const key = objectKey(userId, plainName(file), new Date(), randomSegment());
  for (let attempt = 1; ; attempt += 1) {
    try {
      await store.put(key, file, options);
      return `${privateBucket}/${key}`;
    } catch (error) {
      if (isAbort(error) || attempt === TRIES || !(error instanceof StorageError)) throw error;
      if (error.fault === "credentials") await credentials.get({ renew: true });
      else if (error.fault === "transient") await sleep(backoffMs(attempt), options.signal);
      else throw error;
    }
  }
}
