import { hashFile } from "./hashing";

/** Hashes a whole file; one file per worker. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<File>) => void) | null;
  postMessage(message: { sha256: string } | { error: string }): void;
}

const scope = self as unknown as WorkerScope;

scope.onmessage = async (event) => {
  try {
    scope.postMessage({ sha256: await hashFile(event.data) });
  } catch {
    scope.postMessage({ error: "unreadable" });
  }
};
