import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { createSHA256 } from "hash-wasm";

const SLICE = 4_194_304;

interface Hash {
  update(bytes: Uint8Array): unknown;
  hex(): string;
}

/**
 * WebAssembly, some three times as fast as JavaScript: an upload waits for the digest of a large file. `crypto.subtle`
 * is faster still, but needs the whole file in memory.
 */
async function startHash(): Promise<Hash> {
  try {
    const hash = await createSHA256();
    hash.init();
    return { update: (bytes) => hash.update(bytes), hex: () => hash.digest("hex") };
  } catch {
    const hash = sha256.create();
    return { update: (bytes) => hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
  }
}

/** Hex SHA-256 of a file, read in slices. Rejects when the file cannot be read or the signal aborts. */
export async function hashFile(file: Blob, signal?: AbortSignal): Promise<string> {
  const hash = await startHash();
  for (let at = 0; at < file.size; at += SLICE) {
    signal?.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer()));
  }
  return hash.hex();
}
