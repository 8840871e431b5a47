/**
 * Request signatures `d3sig/1` and the decryption of credentials `d3cred/1` (docs/signature.md).
 * Pure JavaScript, because `crypto.subtle` is missing where the page is not served over HTTPS.
 */
import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export interface ClientKey {
  clientId: string;
  clientSecret: string;
  kid: string;
}

export interface SignInput {
  method: string;
  /** Path of the address, without query. */
  path: string;
  /** Bearer token that the request carries in its header; empty without one. */
  token: string;
  /** Milliseconds since 1970, in the server's time. */
  timestamp: number;
  query?: Pairs;
  /** 16 bytes, fresh for each request. Only tests pass their own. */
  salt?: Uint8Array;
}

export type Pairs = Iterable<readonly [string, string]>;

const SALT_BYTES = 16;

/** RFC 3986 percent-encoding: only unreserved characters stay. */
export function enc(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Canonical form of name-value pairs: without `D`, encoded, sorted by name, then value. */
export function canonical(pairs: Pairs): string {
  const encoded: [string, string][] = [];
  for (const [name, value] of pairs) {
    if (name !== "D") encoded.push([enc(name), enc(value)]);
  }
  encoded.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return encoded.map(([name, value]) => `${name}=${value}`).join("&");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function tokenHash(token: string): string {
  return token ? bytesToHex(sha256(utf8ToBytes(token))) : "-";
}

/** Hex SHA-256 over the canonical query, a line feed and the canonical form. */
export function digest(query: Pairs, form: Pairs): string {
  return bytesToHex(sha256(utf8ToBytes(`${canonical(query)}\n${canonical(form)}`)));
}

/** The value of `D` for a form body (form given) or a GET query (form empty). */
export function signForm(key: ClientKey, input: SignInput, form: Pairs): string {
  const salt = input.salt ?? randomBytes(SALT_BYTES);
  const info = utf8ToBytes(`d3sig/1/enc\n${key.clientId}\n${key.kid}`);
  const okm = hkdf(sha256, utf8ToBytes(key.clientSecret), salt, info, 44);
  const plain = utf8ToBytes(`${input.timestamp}\n${digest(input.query ?? [], form)}`);
  const aad = utf8ToBytes(
    `d3sig/1\n${input.method}\n${input.path}\n${key.clientId}\n${tokenHash(input.token)}`,
  );
  const sealed = gcm(okm.slice(0, 32), okm.slice(32, 44), aad).encrypt(plain);
  return `1.${key.kid}.${base64url(concat(salt, sealed))}`;
}

/** The value of the header `md5` for a JSON body. */
export function signJson(key: ClientKey, input: SignInput, body: string): string {
  const salt = input.salt ?? randomBytes(SALT_BYTES);
  const info = utf8ToBytes(`d3sig/1/md5\n${key.clientId}\n${key.kid}`);
  const macKey = hkdf(sha256, utf8ToBytes(key.clientSecret), salt, info, 32);
  const message = [
    "d3sig/1",
    input.method,
    input.path,
    canonical(input.query ?? []),
    key.clientId,
    tokenHash(input.token),
    String(input.timestamp),
    bytesToHex(sha256(utf8ToBytes(body))),
  ].join("\n");
  const mac = hmac(md5, macKey, utf8ToBytes(message));
  return `1.${key.kid}.${input.timestamp}.${bytesToHex(salt)}.${bytesToHex(mac)}`;
}

/**
 * Decrypts one field of the object-storage parameters.
 *
 * @param field name of the field, for example `ak`
 * @param value `1.{kid}.{base64url(salt ‖ ciphertext ‖ tag)}`
 * @param token access token of the caller
 * @param userId login id of the caller
 * @throws Error when the value is damaged or meant for another user
 */
export function decryptCredential(
  field: string,
  value: string,
  token: string,
  userId: string,
  clientId: string,
): string {
  const parts = value.split(".");
  const [version, kid, data] = parts;
  if (parts.length !== 3 || version !== "1" || !kid || !data) {
    throw new Error("credential has an unknown form");
  }
  const bytes = fromBase64url(data);
  if (bytes.length < SALT_BYTES + 16) throw new Error("credential is too short");
  const info = utf8ToBytes(`d3cred/1\n${clientId}\n${kid}`);
  const okm = hkdf(sha256, utf8ToBytes(token), bytes.slice(0, SALT_BYTES), info, 44);
  const aad = utf8ToBytes(`d3cred/1\n${field}\n${userId}`);
  const plain = gcm(okm.slice(0, 32), okm.slice(32, 44), aad).decrypt(bytes.slice(SALT_BYTES));
  return new TextDecoder().decode(plain);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}
