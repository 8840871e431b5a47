import { StorageError } from "./errors";
import { backoffMs, PARALLEL_PARTS, type Part } from "./plan";
import { abortError, isAbort, type StoredPart } from "./s3";

export interface SchedulerOptions {
  parallel?: number;
  /** Attempts for one part before the whole run fails. */
  attempts?: number;
  send: (part: Part, signal: AbortSignal, onSent: (bytes: number) => void) => Promise<string>;
  renewCredentials: () => Promise<void>;
  onProgress: (sentBytes: number) => void;
  onPart: (part: StoredPart) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Sends parts, a fixed number at a time, each with its own retries. Resolves when every part is stored; on the first
 * permanent fault aborts the parts in flight and rejects.
 */
export async function runParts(
  parts: readonly Part[],
  outer: AbortSignal,
  options: SchedulerOptions,
): Promise<void> {
  const { parallel = PARALLEL_PARTS, attempts = 6, wait = sleep } = options;
  const queue = [...parts];
  const inFlight = new Map<number, number>();
  let stored = 0;
  const inner = new AbortController();
  const stop = () => inner.abort();
  outer.addEventListener("abort", stop);
  if (outer.aborted) inner.abort();
  let failure: unknown;

  const report = () => {
    let moving = 0;
    for (const bytes of inFlight.values()) moving += bytes;
    options.onProgress(stored + moving);
  };

  const sendOne = async (part: Part): Promise<void> => {
    const length = part.end - part.start;
    for (let attempt = 1; ; attempt += 1) {
      if (inner.signal.aborted) throw abortError();
      try {
        const etag = await options.send(part, inner.signal, (bytes) => {
          inFlight.set(part.partNumber, Math.min(bytes, length));
          report();
        });
        inFlight.delete(part.partNumber);
        stored += length;
        options.onPart({ partNumber: part.partNumber, etag, size: length });
        report();
        return;
      } catch (error) {
        inFlight.delete(part.partNumber);
        report();
        if (isAbort(error) || attempt >= attempts || !canRetry(error)) throw error;
        await wait(backoffMs(attempt), inner.signal);
        if (error instanceof StorageError && error.fault === "credentials") {
          await options.renewCredentials();
        }
      }
    }
  };

  const worker = async (): Promise<void> => {
    for (let part = queue.shift(); part; part = queue.shift()) {
      try {
        await sendOne(part);
      } catch (error) {
        failure ??= error;
        inner.abort();
        return;
      }
    }
  };

  try {
    await Promise.all(Array.from({ length: Math.min(parallel, queue.length) }, worker));
  } finally {
    outer.removeEventListener("abort", stop);
  }
  if (outer.aborted) throw abortError();
  if (failure) throw failure;
}

function canRetry(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  return error.fault === "transient" || error.fault === "credentials";
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(abortError());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
