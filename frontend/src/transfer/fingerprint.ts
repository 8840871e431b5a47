import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Distinguishes chosen files without reading all of them. */
export interface Fingerprint {
  name: string;
  size: number;
  lastModified: number;
  /** hex SHA-256 of the first 1 MB followed by the last 1 MB */
  ends: string;
}

const END = 1_048_576;

/** Rejects when the browser can no longer read the file (deleted, moved, permission gone). */
export async function fingerprint(file: File): Promise<Fingerprint> {
  const hash = sha256.create();
  hash.update(new Uint8Array(await file.slice(0, END).arrayBuffer()));
  hash.update(new Uint8Array(await file.slice(Math.max(0, file.size - END)).arrayBuffer()));
  return {
    name: file.name,
    size: file.size,
    lastModified: file.lastModified,
    ends: bytesToHex(hash.digest()),
  };
}

export function sameFile(a: Fingerprint, b: Fingerprint): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified && a.ends === b.ends;
}
