import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { deferred } from "@/test/deferred";
import { server } from "@/test/server";
import { Credentials } from "./credentials";
import { Line } from "./line";
import { PART_SIZE } from "./plan";
import { UploadRecords } from "./records";
import { S3Multipart } from "./s3";
import { type UploadDeps, type UploadState, UploadTask } from "./task";
import { letBlobsBeRead, MemoryStore } from "./test/memoryStore";

letBlobsBeRead();

// This test's store uses real HTTP, without the interception of the other tests.
beforeAll(() => server.close());
// The setup of all tests closes the server at the end, and a closed one cannot be closed again.
afterAll(() => server.listen());

const target = { userId: "42", modelType: "object", fileSource: "web", origin: "0" } as const;
const content = Buffer.alloc(12 * 1_048_576);
for (let i = 0; i < content.length; i += 4) content.writeUInt32LE(Math.imul(i, 2654435761) >>> 0, i);

function chosen(name = "齿轮 1.obj", data: Buffer = content): File {
  return new File([new Uint8Array(data)], name, { lastModified: 1_700_000_000_000 });
}

let store: MemoryStore;
let grants: number;

beforeEach(async () => {
  localStorage.clear();
  store = await MemoryStore.start();
  grants = 0;
});
afterEach(() => store.stop());

function deps(expiration = () => Date.now() + 30 * 60_000): UploadDeps {
  const credentials = new Credentials(async () => {
    grants += 1;
    return {
      ak: `AK${grants}`,
      sk: "secret",
      securityToken: "token",
      server: store.address,
      privateBucket: "private",
      expiration: expiration(),
    };
  });
  return {
    credentials,
    store: new S3Multipart((options) => credentials.signer(options)),
    records: new UploadRecords("42"),
    wait: async () => undefined,
  };
}

/** A network whose pauses are short enough for a test. */
function quickLine(onPause: (attempt: number) => void = () => undefined): Line {
  return new Line({
    backoff: (attempt) => {
      onPause(attempt);
      return 20 * attempt;
    },
  });
}

function reached(task: UploadTask, done: (state: UploadState) => boolean): Promise<UploadState> {
  return new Promise((resolve) => {
    const look = () => done(task.snapshot()) && resolve(task.snapshot());
    task.subscribe(look);
    look();
  });
}

describe("upload task", () => {
  it("sends 5, 5 and 2 MB and answers key, size and digest", async () => {
    const task = new UploadTask(chosen(), target, deps());
    await task.start();
    const result = await task.result;
    expect(result.key).toMatch(/^u\/42\/\d{8}\/[0-9a-f]{24}\/齿轮 1\.obj$/);
    expect(result).toMatchObject({
      bucket: "private",
      size: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect(store.objects.get(result.key)?.equals(content)).toBe(true);
    expect([...store.received].sort()).toEqual([1, 2, 3]);
    expect(new UploadRecords("42").list()).toEqual([]);
  });

  it("after a reload sends only the missing part of the same file", async () => {
    store.refuse = (part) => (part === 2 ? { status: 403, code: "AccessDenied" } : undefined);
    const first = new UploadTask(chosen(), target, deps());
    await first.start();
    expect(first.snapshot()).toMatchObject({ phase: "failed", fault: "storage" });
    await store.idle();
    const [record] = new UploadRecords("42").list();
    const held = [...(store.uploads.get(record?.uploadId ?? "")?.parts.keys() ?? [])];
    expect(held).not.toContain(2);

    // a new page: new task, new records object, same local storage; the user picked the same file again
    store.refuse = () => undefined;
    store.received.length = 0;
    const second = new UploadTask(chosen(), target, deps());
    await second.start();
    const { key } = await second.result;
    expect(store.received.sort()).toEqual([1, 2, 3].filter((n) => !held.includes(n)));
    expect(key).toBe(record?.key);
    expect(store.objects.get(key)?.equals(content)).toBe(true);
  });

  it("does not resume a changed file of the same name", async () => {
    store.refuse = () => ({ status: 403, code: "AccessDenied" });
    await new UploadTask(chosen(), target, deps()).start();
    store.refuse = () => undefined;
    const changed = Buffer.from(content);
    changed[5] = (changed[5] ?? 0) ^ 1;
    const task = new UploadTask(chosen("齿轮 1.obj", changed), target, deps());
    await task.start();
    expect(task.snapshot().resumedBytes).toBe(0);
    expect(store.objects.get((await task.result).key)?.equals(changed)).toBe(true);
  });

  it("begins anew when the store has dropped the unfinished upload", async () => {
    store.refuse = (part) => (part === 3 ? { status: 403, code: "AccessDenied" } : undefined);
    const first = new UploadTask(chosen(), target, deps());
    await first.start();
    store.uploads.clear();
    store.refuse = () => undefined;
    await first.start();
    expect(first.snapshot().phase).toBe("complete");
    expect(store.objects.get((await first.result).key)?.equals(content)).toBe(true);
  });

  it("fetches new keys when the old ones expire during the upload", async () => {
    store.refuse = (part, key) =>
      part === 3 && key === "AK1" ? { status: 403, code: "ExpiredToken" } : undefined;
    const task = new UploadTask(chosen(), target, deps());
    await task.start();
    expect(task.snapshot().phase).toBe("complete");
    expect(grants).toBe(2);
    expect(store.keysSeen.at(-1)).toBe("AK2");
  });

  it("does not use a key in its last two minutes", async () => {
    const task = new UploadTask(
      chosen("a.obj", content.subarray(0, 10)),
      target,
      deps(() => Date.now() + 60_000),
    );
    await task.start();
    expect(task.snapshot().phase).toBe("complete");
    expect(grants).toBeGreaterThan(1);
  });

  it("a pause loses nothing: parts on their way arrive, none is begun, and none is sent twice", async () => {
    const large = Buffer.concat([content, content, content]);
    const task = new UploadTask(chosen("大.obj", large), target, deps());
    const release = deferred();
    let held = 0;
    store.hold = () => {
      held += 1;
      return release.promise;
    };
    const running = task.start();
    await vi.waitFor(() => expect(held).toBe(4), 10_000);
    task.pause();
    const atPause = task.snapshot();
    expect(atPause).toMatchObject({ phase: "paused", draining: true });
    release.resolve();
    const paused = await reached(task, (s) => !s.draining);
    expect(paused.phase).toBe("paused");
    expect(paused.sentBytes).toBeGreaterThanOrEqual(atPause.sentBytes);
    await store.idle();
    expect([...store.received].sort()).toEqual([1, 2, 3, 4]);
    expect(new UploadRecords("42").list()[0]?.confirmed).toBe(4 * PART_SIZE);

    void task.start();
    expect(task.snapshot().phase).toBe("uploading");
    await running;
    expect([...store.received].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(store.objects.get((await task.result).key)?.equals(large)).toBe(true);
  });

  it("the bar never runs backwards, not for a pause, a part sent again or a broken line", async () => {
    const shown: number[] = [];
    let busy = 3;
    store.refuse = (part) => (part === 2 && busy-- > 0 ? { status: 503, code: "SlowDown" } : undefined);
    const task = new UploadTask(chosen(), target, { ...deps(), line: quickLine() });
    task.subscribe(() => shown.push(task.snapshot().sentBytes));
    const running = task.start();
    await reached(task, (s) => s.sentBytes > 0);
    task.pause();
    store.cut = true;
    void task.start();
    await reached(task, (s) => s.offline || s.phase === "complete");
    store.cut = false;
    await running;
    expect(task.snapshot().phase).toBe("complete");
    for (let i = 1; i < shown.length; i += 1) expect(shown[i]).toBeGreaterThanOrEqual(shown[i - 1] ?? 0);
  });

  it("tells that the line is broken, asks with growing pauses, and goes on by itself", async () => {
    const pauses: number[] = [];
    const line = quickLine((attempt) => pauses.push(attempt));
    const task = new UploadTask(chosen(), target, { ...deps(), line });
    const release = deferred();
    let held = 0;
    store.hold = () => {
      held += 1;
      return release.promise;
    };
    const running = task.start();
    await vi.waitFor(() => expect(held).toBe(3), 10_000);
    store.cut = true;
    release.resolve();
    const broken = await reached(task, (s) => s.offline);
    expect(broken).toMatchObject({ phase: "uploading", bytesPerSecond: 0, secondsLeft: undefined });
    const first = store.broken;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // one request at a time, each after a longer pause
    expect(store.broken - first).toBeLessThanOrEqual(pauses.length);
    expect(pauses).toEqual(pauses.map((_, i) => i + 1));
    expect(task.snapshot()).toMatchObject({ phase: "uploading", offline: true });
    store.cut = false;
    await running;
    expect(task.snapshot()).toMatchObject({ phase: "complete", offline: false });
    expect(store.objects.get((await task.result).key)?.equals(content)).toBe(true);
  });

  it("cancels for good and frees what the store holds", async () => {
    store.refuse = (part) => (part === 3 ? { status: 403, code: "AccessDenied" } : undefined);
    const task = new UploadTask(chosen(), target, deps());
    await task.start();
    await task.cancel();
    expect(task.snapshot().phase).toBe("cancelled");
    expect(store.uploads.size).toBe(0);
    expect(new UploadRecords("42").list()).toEqual([]);
    await task.start();
    expect(task.snapshot().phase).toBe("cancelled");
  });

  it("tells a failure of the parameters from one of the store", async () => {
    const credentials = new Credentials(async () => {
      throw new Error("down");
    });
    const task = new UploadTask(chosen(), target, { ...deps(), credentials });
    await task.start();
    expect(task.snapshot()).toMatchObject({ phase: "failed", fault: "params" });
  });

  it("tells a file that can no longer be read", async () => {
    const file = chosen();
    Object.defineProperty(file, "slice", {
      value: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotFoundError")) }),
    });
    const task = new UploadTask(file, target, deps());
    await task.start();
    expect(task.snapshot()).toMatchObject({ phase: "failed", fault: "file" });
  });
});
