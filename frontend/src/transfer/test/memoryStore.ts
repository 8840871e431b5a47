import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Held {
  key: string;
  parts: Map<number, Buffer>;
}

/**
 * A small store over real HTTP that implements S3's multipart calls and PUT, with faults on demand. For tests of the client;
 * the product's own store is tested with third-party SDKs in its crate.
 */
export class MemoryStore {
  readonly uploads = new Map<string, Held>();
  readonly objects = new Map<string, Buffer>();
  /** part numbers in order of arrival */
  readonly received: number[] = [];
  readonly keysSeen: string[] = [];
  /** called before each part, and with 0 before a whole object; returns an S3 error code to refuse it with */
  refuse: (partNumber: number, accessKey: string) => { status: number; code: string } | undefined = () =>
    undefined;
  /** called before each part is taken; the part waits for it */
  hold: (partNumber: number) => Promise<unknown> | undefined = () => undefined;
  /** true: every connection breaks before a response, as without a network */
  cut = false;
  /** requests that failed while cut */
  broken = 0;
  private next = 1;
  private active = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MemoryStore> {
    const server = createServer();
    const store = new MemoryStore(server);
    server.on("request", async (request, response) => {
      store.active += 1;
      await store.handle(request, response).finally(() => {
        store.active -= 1;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return store;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Resolves when no request is in flight: an aborted request may still have arrived. */
  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.active === 0 ? quiet + 1 : 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.cut) {
      this.broken += 1;
      request.socket.destroy();
      return;
    }
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader(
      "access-control-allow-headers",
      request.headers["access-control-request-headers"] ?? "*",
    );
    response.setHeader("access-control-allow-methods", "GET,PUT,POST,DELETE");
    response.setHeader("access-control-expose-headers", "ETag");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // the client aborted the request
    }
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? "/", this.address);
    const key = decodeURIComponent(url.pathname.split("/").slice(2).join("/"));
    const accessKey = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
    this.keysSeen.push(accessKey);
    const answer = (status: number, text: string) => {
      response.statusCode = status;
      response.end(text);
    };
    const error = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`);

    if (request.method === "POST" && url.searchParams.has("uploads")) {
      const id = `upload-${this.next++}`;
      this.uploads.set(id, { key, parts: new Map() });
      answer(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
      return;
    }
    const id = url.searchParams.get("uploadId") ?? "";
    if (request.method === "PUT" && !id) {
      const refusal = this.refuse(0, accessKey);
      if (refusal) {
        error(refusal.status, refusal.code);
        return;
      }
      await this.hold(0);
      this.objects.set(key, body);
      response.setHeader("ETag", etag(body));
      answer(200, "");
      return;
    }
    const held = this.uploads.get(id);
    if (!held || held.key !== key) {
      error(404, "NoSuchUpload");
      return;
    }
    if (request.method === "PUT") {
      const number = Number(url.searchParams.get("partNumber"));
      const refusal = this.refuse(number, accessKey);
      if (refusal) {
        error(refusal.status, refusal.code);
        return;
      }
      await this.hold(number);
      if (this.cut) {
        this.broken += 1;
        request.socket.destroy();
        return;
      }
      this.received.push(number);
      held.parts.set(number, body);
      response.setHeader("ETag", etag(body));
      answer(200, "");
    } else if (request.method === "GET") {
      const rows = [...held.parts].map(
        ([n, part]) =>
          `<Part><PartNumber>${n}</PartNumber><ETag>${etag(part)}</ETag><Size>${part.length}</Size></Part>`,
      );
      answer(200, `<ListPartsResult>${rows.join("")}<IsTruncated>false</IsTruncated></ListPartsResult>`);
    } else if (request.method === "POST") {
      const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map((m) => Number(m[1]));
      this.objects.set(key, Buffer.concat(numbers.map((n) => held.parts.get(n) ?? Buffer.alloc(0))));
      this.uploads.delete(id);
      answer(200, "<CompleteMultipartUploadResult/>");
    } else {
      this.uploads.delete(id);
      answer(204, "");
    }
  }
}

function etag(part: Buffer): string {
  return `"${createHash("md5").update(part).digest("hex")}"`;
}

/** jsdom's Blob cannot be read as a buffer yet; browsers' can. */
export function letBlobsBeRead(): void {
  if (typeof Blob.prototype.arrayBuffer === "function") return;
  Blob.prototype.arrayBuffer = function arrayBuffer(this: Blob) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result as ArrayBuffer);
      reader.onerror = () => reject(reader.error);
      reader.readAsArrayBuffer(this);
    });
  };
}
