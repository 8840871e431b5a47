import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * AWS Signature Version 4 for S3, header form, payload left unsigned.
 * Source: AWS General Reference, "Create a signed AWS API request".
 * Pure JavaScript hashing: `crypto.subtle` is missing on plain http, which a first run on a LAN uses.
 */
export interface Signer {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  region: string;
}

export interface SignableRequest {
  method: string;
  url: URL;
  /** Lower-case names. `host`, `x-amz-date` and the token are added here. */
  headers?: Record<string, string>;
}

const UNSIGNED = "UNSIGNED-PAYLOAD";

/** RFC 3986: only unreserved characters stay. */
export function encodeRfc3986(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An object key as an URL path: every segment encoded once, slashes kept. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeRfc3986).join("/");
}

function canonicalQuery(url: URL): string {
  const pairs = [...url.searchParams].map(
    ([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const,
  );
  pairs.sort((a, b) => (a[0] === b[0] ? compare(a[1], b[1]) : compare(a[0], b[0])));
  return pairs.map(([name, value]) => `${name}=${value}`).join("&");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(text));
}

/** `20261121T083000Z` */
export function amzDate(now: Date): string {
  return now
    .toISOString()
    .replace(/[-:]/g, "")
    .replace(/\.\d{3}/, "");
}

/** The headers to send, `authorization` among them. The browser itself sets `host`. */
export function signedHeaders(
  request: SignableRequest,
  signer: Signer,
  now: Date,
  payloadHash: string = UNSIGNED,
): Record<string, string> {
  const stamp = amzDate(now);
  const day = stamp.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": payloadHash,
    "x-amz-date": stamp,
  };
  if (signer.sessionToken) headers["x-amz-security-token"] = signer.sessionToken;

  const toSign: Record<string, string> = { ...headers, host: request.url.host };
  const names = Object.keys(toSign).sort();
  const canonicalHeaders = names
    .map((name) => `${name}:${(toSign[name] ?? "").trim().replace(/ +/g, " ")}\n`)
    .join("");
  const signedNames = names.join(";");
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    canonicalHeaders,
    signedNames,
    payloadHash,
  ].join("\n");

  const scope = `${day}/${signer.region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", stamp, scope, bytesToHex(sha256(utf8ToBytes(canonical)))].join("\n");
  let key = hmacSha256(utf8ToBytes(`AWS4${signer.secretAccessKey}`), day);
  for (const part of [signer.region, "s3", "aws4_request"]) key = hmacSha256(key, part);
  const signature = bytesToHex(hmacSha256(key, text));
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return headers;
}
