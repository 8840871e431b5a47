import { classify, StorageError } from "./errors";
import { encodeKey, type Signer, signedHeaders } from "./sigv4";

export interface StoreLocation {
  /** Base address of the S3-compatible store. */
  server: string;
  bucket: string;
}

export interface StoredPart {
  partNumber: number;
  etag: string;
  size: number;
}

/** Signer of one request; called for each request, so that a renewed key is used at once. */
export type SignerSource = (options?: { renew?: boolean }) => Promise<Signer & StoreLocation>;

export interface PartOptions {
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

const READ_TIMEOUT_MS = 60_000;
/** A part without any progress for this long is aborted and retried. */
const STALL_TIMEOUT_MS = 60_000;

/** The five calls of S3 multipart upload, and PUT for files small enough to be sent whole; path style. */
export class S3Multipart {
  constructor(
    private readonly source: SignerSource,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  async create(key: string, contentType: string, signal?: AbortSignal): Promise<string> {
    const xml = await this.call("POST", key, { uploads: "" }, undefined, signal, {
      "content-type": contentType,
    });
    const id = textOf(xml, "UploadId");
    if (!id) throw new StorageError("refused", "the store answered no upload id");
    return id;
  }

  /** Every part the store already has, over all pages. */
  async listParts(key: string, uploadId: string, signal?: AbortSignal): Promise<StoredPart[]> {
    const parts: StoredPart[] = [];
    let marker = "";
    // 10 000 parts is S3's limit: ten pages of 1000
    for (let page = 0; page < 11; page += 1) {
      const query: Record<string, string> = { "max-parts": "1000", uploadId };
      if (marker) query["part-number-marker"] = marker;
      const xml = await this.call("GET", key, query, undefined, signal);
      for (const node of Array.from(xml.getElementsByTagName("Part"))) {
        const partNumber = Number(textOf(node, "PartNumber"));
        const size = Number(textOf(node, "Size"));
        const etag = textOf(node, "ETag");
        if (Number.isInteger(partNumber) && partNumber > 0 && etag) {
          parts.push({ partNumber, etag, size });
        }
      }
      if (textOf(xml, "IsTruncated") !== "true") return parts;
      const next = textOf(xml, "NextPartNumberMarker");
      if (!next || next === marker) return parts;
      marker = next;
    }
    return parts;
  }

  async complete(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void> {
    const rows = [...parts]
      .sort((a, b) => a.partNumber - b.partNumber)
      .map((p) => `<Part><PartNumber>${p.partNumber}</PartNumber><ETag>${escapeXml(p.etag)}</ETag></Part>`);
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join("")}</CompleteMultipartUpload>`;
    const xml = await this.call("POST", key, { uploadId }, body, undefined, {
      "content-type": "application/xml",
    });
    // S3 may return status 200 with an error in the body
    if (xml.documentElement?.tagName === "Error") {
      const code = textOf(xml, "Code");
      throw new StorageError(classify(500, code), textOf(xml, "Message") || code, 200, code);
    }
  }

  async abort(key: string, uploadId: string): Promise<void> {
    await this.call("DELETE", key, { uploadId });
  }

  /** Sends one part; `onSent` receives the bytes sent so far. Resolves with the part's ETag. */
  async uploadPart(
    key: string,
    uploadId: string,
    partNumber: number,
    body: Blob,
    options: PartOptions,
  ): Promise<string> {
    const signer = await this.source();
    if (options.signal.aborted) throw abortError();
    const url = objectUrl(signer, key, { partNumber: String(partNumber), uploadId });
    const headers = signedHeaders({ method: "PUT", url }, signer, this.clock());
    return sendPart(url, headers, body, options);
  }

  /** Sends a whole object; its content type is the blob's. */
  async put(key: string, body: Blob, options: PartOptions): Promise<void> {
    const signer = await this.source();
    if (options.signal.aborted) throw abortError();
    const url = objectUrl(signer, key, {});
    await sendPart(url, signedHeaders({ method: "PUT", url }, signer, this.clock()), body, options);
  }

  private async call(
    method: string,
    key: string,
    query: Record<string, string>,
    body?: string,
    signal?: AbortSignal,
    extra?: Record<string, string>,
  ): Promise<Document> {
    const signer = await this.source();
    const url = objectUrl(signer, key, query);
    const headers = signedHeaders({ method, url, headers: extra }, signer, this.clock());
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), READ_TIMEOUT_MS);
    const stop = () => timeout.abort();
    signal?.addEventListener("abort", stop);
    try {
      const response = await fetch(url, { method, headers, body, signal: timeout.signal });
      const text = await response.text();
      if (!response.ok) throw failure(response.status, text);
      return parseXml(text);
    } catch (error) {
      if (signal?.aborted) throw abortError();
      if (error instanceof StorageError) throw error;
      throw new StorageError("transient", "the store did not answer");
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

export function objectUrl(at: StoreLocation, key: string, query: Record<string, string>): URL {
  const base =
    at.server.includes("://") || typeof location === "undefined"
      ? at.server
      : new URL(at.server, location.href).href;
  const url = new URL(`${base.replace(/\/+$/, "")}/${at.bucket}/${encodeKey(key)}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** XMLHttpRequest, because `fetch` does not report upload progress. */
function sendPart(
  url: URL,
  headers: Record<string, string>,
  body: Blob,
  { signal, onSent }: PartOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stall: ReturnType<typeof setTimeout> | undefined;
    const abort = () => request.abort();
    const settle = () => {
      clearTimeout(stall);
      signal.removeEventListener("abort", abort);
    };
    const watch = () => {
      clearTimeout(stall);
      stall = setTimeout(() => request.abort(), STALL_TIMEOUT_MS);
    };
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      watch();
      onSent(event.loaded);
    };
    request.onload = () => {
      settle();
      if (request.status < 200 || request.status >= 300) {
        reject(failure(request.status, request.responseText));
        return;
      }
      const etag = request.getResponseHeader("etag");
      // unless CORS exposes the header, the upload can never be completed
      if (!etag) reject(new StorageError("refused", "the store hides the ETag header"));
      else resolve(etag);
    };
    request.onerror = () => {
      settle();
      reject(new StorageError("transient", "the part could not be sent"));
    };
    request.onabort = () => {
      settle();
      reject(signal.aborted ? abortError() : new StorageError("transient", "the part stalled"));
    };
    signal.addEventListener("abort", abort);
    watch();
    request.send(body);
  });
}

export function abortError(): DOMException {
  return new DOMException("aborted", "AbortError");
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function failure(status: number, text: string): StorageError {
  let code = "";
  let message = "";
  try {
    const xml = parseXml(text);
    code = textOf(xml, "Code");
    message = textOf(xml, "Message");
  } catch {
    // an error page of a proxy: only the status counts
  }
  return new StorageError(classify(status, code), message || `status ${status}`, status, code);
}

function parseXml(text: string): Document {
  return new DOMParser().parseFromString(text || "<Empty/>", "application/xml");
}

function textOf(node: Document | Element, tag: string): string {
  return node.getElementsByTagName(tag)[0]?.textContent?.trim() ?? "";
}

function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
