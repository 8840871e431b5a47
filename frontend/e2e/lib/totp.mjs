/** The authenticator app: RFC 6238 with SHA-1, six digits and 30 seconds. */
import { createHmac } from "node:crypto";

const STEP_MS = 30_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(secret) {
  const bits = [...secret.replace(/[\s=]/g, "").toUpperCase()]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of a step. */
function totp(secret, step) {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const at = mac[19] & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/**
 * An app that never shows a code twice, since a code works once. The server accepts a clock that is one step ahead, so the next
 * code is shown without waiting; the one after it is waited for.
 */
export function authenticator(secret) {
  const now = () => Math.floor(Date.now() / STEP_MS);
  let last = 0;
  return async () => {
    while (last > now()) await new Promise((resolve) => setTimeout(resolve, 500));
    last = Math.max(last + 1, now());
    return totp(secret, last);
  };
}
