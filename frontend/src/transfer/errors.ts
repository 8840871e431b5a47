/** Why a storage request failed, in the terms the scheduler acts on. */
export type StorageFault =
  /** no response, or the server is busy: worth a retry */
  | "transient"
  /** no response for minutes, over many tries */
  | "unreachable"
  /** the temporary key is no longer accepted: fetch a new one and retry */
  | "credentials"
  /** the multipart upload no longer exists on the server: begin a new one */
  | "gone"
  /** the browser can no longer read the chosen file */
  | "file"
  /** a permanent refusal by the server */
  | "refused";

export class StorageError extends Error {
  constructor(
    readonly fault: StorageFault,
    message: string,
    readonly status = 0,
    readonly code = "",
  ) {
    super(message);
    this.name = "StorageError";
  }
}

const CREDENTIAL_CODES = new Set([
  "ExpiredToken",
  "InvalidAccessKeyId",
  "InvalidToken",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
  "TokenRefreshRequired",
]);
const TRANSIENT_CODES = new Set(["SlowDown", "InternalError", "RequestTimeout", "ServiceUnavailable"]);

export function classify(status: number, code: string): StorageFault {
  if (CREDENTIAL_CODES.has(code)) return "credentials";
  if (TRANSIENT_CODES.has(code)) return "transient";
  if (code === "NoSuchUpload") return "gone";
  if (status === 401 || (status === 403 && code === "")) return "credentials";
  if (status === 0 || status === 408 || status === 425 || status === 429 || status >= 500) {
    return "transient";
  }
  return "refused";
}
