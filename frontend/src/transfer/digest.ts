import { StorageError } from "./errors";
import { hashFile } from "./hashing";
import { abortError } from "./s3";

/**
 * Hex SHA-256 of a whole file. In a worker, so that the page stays responsive; if no worker can start, in slices on the
 * main thread.
 */
export async function fileDigest(file: File, signal: AbortSignal): Promise<string> {
  if (signal.aborted) throw abortError();
  const worker = startWorker();
  if (!worker) return digestHere(file, signal);
  return new Promise((resolve, reject) => {
    const stop = () => {
      worker.terminate();
      reject(abortError());
    };
    const end = () => {
      signal.removeEventListener("abort", stop);
      worker.terminate();
    };
    signal.addEventListener("abort", stop);
    worker.onmessage = (event: MessageEvent<{ sha256?: string }>) => {
      end();
      if (event.data.sha256) resolve(event.data.sha256);
      else reject(new StorageError("file", "the file cannot be read"));
    };
    worker.onerror = () => {
      end();
      digestHere(file, signal).then(resolve, reject);
    };
    worker.postMessage(file);
  });
}

function startWorker(): Worker | undefined {
  if (typeof Worker === "undefined") return undefined;
  try {
    return new Worker(new URL("./digest.worker.ts", import.meta.url));
  } catch {
    return undefined;
  }
}

async function digestHere(file: File, signal: AbortSignal): Promise<string> {
  try {
    return await hashFile(file, signal);
  } catch {
    if (signal.aborted) throw abortError();
    throw new StorageError("file", "the file cannot be read");
  }
}
