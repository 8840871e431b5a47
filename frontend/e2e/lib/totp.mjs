/** The authenticator app: RFC 6238 with SHA-1, six digits and 30 seconds, as every such app has it. */
import { createHmac } from "node:crypto";

const STEP_MS = 30_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(secret) {
  const bits = [...secret.replace(/[\s=]/g, "").toUpperCase()]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that the app shows at a moment (milliseconds). */
export function totp(secret, now = Date.now()) {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS)));
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const at = mac[19] & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** An app that never shows a code twice: a code is good for one use, so the next one is waited for. */
export function authenticator(secret) {
  let last;
  return async () => {
    while (totp(secret) === last) await new Promise((resolve) => setTimeout(resolve, 500));
    last = totp(secret);
    return last;
  };
}
