import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Hashes a whole file in slices; one file a worker. */
const SLICE = 4_194_304;

interface WorkerScope {
  onmessage: ((event: MessageEvent<File>) => void) | null;
  postMessage(message: { sha256: string } | { error: string }): void;
}

const scope = self as unknown as WorkerScope;

scope.onmessage = async (event) => {
  const file = event.data;
  try {
    const hash = sha256.create();
    for (let at = 0; at < file.size; at += SLICE) {
      hash.update(new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer()));
    }
    scope.postMessage({ sha256: bytesToHex(hash.digest()) });
  } catch {
    scope.postMessage({ error: "unreadable" });
  }
};
