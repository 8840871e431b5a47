import { type Credentials, CredentialsError } from "./credentials";
import { fileDigest } from "./digest";
import { StorageError } from "./errors";
import { type Fingerprint, fingerprint } from "./fingerprint";
import { dropHandle, type FileHandle, keepHandle } from "./handles";
import { Line } from "./line";
import { backoffMs, objectKey, type Part, planParts, randomSegment, reconcile, Throughput } from "./plan";
import type { UploadRecord, UploadRecords } from "./records";
import { abortError, isAbort, type S3Multipart, type StoredPart } from "./s3";
import { runParts, sleep } from "./scheduler";

export type UploadPhase =
  | "preparing"
  | "uploading"
  | "paused"
  | "finishing"
  | "complete"
  | "failed"
  | "cancelled";

export type UploadFault = "params" | "file" | "storage";

export interface UploadState {
  phase: UploadPhase;
  fileName: string;
  size: number;
  sentBytes: number;
  /** bytes already stored by an earlier session */
  resumedBytes: number;
  bytesPerSecond: number;
  /** undefined while unknown */
  secondsLeft: number | undefined;
  /** the network is down; the upload continues by itself when it is back */
  offline: boolean;
  /** paused, while parts that had begun are still on their way */
  draining: boolean;
  fault?: UploadFault;
  /** the store's own code when it refused, for example QuotaExceeded */
  refusal?: string;
}

export interface UploadResult {
  bucket: string;
  key: string;
  size: number;
  /** hex SHA-256 of the whole file */
  sha256: string;
}

export interface UploadTarget {
  userId: string;
  modelType: "object" | "scene";
  fileSource: string;
  origin: string;
}

export interface UploadDeps {
  credentials: Credentials;
  store: S3Multipart;
  records: UploadRecords;
  /** shared by the uploads of a page */
  line?: Line;
  now?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Session {
  record: UploadRecord;
  missing: Part[];
  done: StoredPart[];
}

/**
 * The upload of one file: start, pause, resume, cancel; notifies its listeners of its state. Parts that the store
 * already has are never sent again, neither after a pause nor after a reload of the page.
 */
export class UploadTask {
  private state: UploadState;
  private readonly listeners = new Set<() => void>();
  private readonly speed = new Throughput();
  private readonly line: Line;
  private run = new AbortController();
  private running: Promise<void> | undefined;
  /** the current stage, paused or not */
  private stage: "preparing" | "uploading" = "preparing";
  /** while paused: releases the waiting parts */
  private gate: { opened: Promise<void>; open: () => void } | undefined;
  private moving = 0;
  private readonly life = new AbortController();
  private session: Session | undefined;
  private digest: Promise<string> | undefined;
  private resolveResult!: (result: UploadResult) => void;
  readonly result: Promise<UploadResult>;

  constructor(
    private readonly file: File,
    private readonly target: UploadTarget,
    private readonly deps: UploadDeps,
    private readonly handle?: FileHandle,
  ) {
    this.line = deps.line ?? new Line();
    this.state = {
      phase: "preparing",
      fileName: file.name,
      size: file.size,
      sentBytes: 0,
      resumedBytes: 0,
      bytesPerSecond: 0,
      secondsLeft: undefined,
      offline: false,
      draining: false,
    };
    // only ever resolved: a failure is a state from which the user may resume
    this.result = new Promise((resolve) => {
      this.resolveResult = resolve;
    });
  }

  snapshot = (): UploadState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Starts, or resumes after a pause or a failure. Settles when the upload is complete, has failed or is cancelled. */
  start(): Promise<void> {
    if (this.running) {
      this.goOn();
      return this.running;
    }
    const { phase } = this.state;
    if (phase === "complete" || phase === "cancelled") return Promise.resolve();
    this.running = this.work().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Starts no further part; those in flight finish and count. */
  pause(): void {
    if (this.state.phase !== "uploading" && this.state.phase !== "preparing") return;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.gate = { opened, open };
    this.set({ phase: "paused", draining: this.moving > 0, bytesPerSecond: 0, secondsLeft: undefined });
  }

  private goOn(): void {
    if (!this.gate) return;
    this.gate.open();
    this.gate = undefined;
    this.speed.reset();
    this.speed.add(this.now(), this.state.sentBytes);
    this.set({ phase: this.stage, draining: false });
  }

  private async work(): Promise<void> {
    const run = new AbortController();
    this.run = run;
    this.gate = undefined;
    this.speed.reset();
    this.stage = "preparing";
    this.set({ phase: "preparing", fault: undefined, refusal: undefined, secondsLeft: undefined });
    const unsubscribe = this.line.subscribe(this.showLine);
    this.showLine();
    try {
      await this.send(run.signal);
    } catch (error) {
      if (run.signal.aborted || isAbort(error)) return;
      this.digest = undefined;
      const refusal = error instanceof StorageError && error.code ? error.code : undefined;
      this.set({
        phase: "failed",
        fault: faultOf(error),
        refusal,
        bytesPerSecond: 0,
        secondsLeft: undefined,
      });
    } finally {
      unsubscribe();
      this.set({ offline: false, draining: false });
    }
  }

  private readonly showLine = (): void => {
    const offline = this.line.isDown();
    this.speed.reset();
    this.set({ offline, bytesPerSecond: 0, secondsLeft: undefined });
  };

  /** Cancels for good and deletes the stored parts. */
  async cancel(): Promise<void> {
    if (this.state.phase === "complete" || this.state.phase === "cancelled") return;
    this.run.abort();
    this.life.abort();
    const record = this.session?.record;
    this.set({ phase: "cancelled", bytesPerSecond: 0, secondsLeft: undefined });
    if (!record) return;
    this.forget(record);
    try {
      await this.deps.store.abort(record.key, record.uploadId);
    } catch {
      // the store collects unfinished uploads by itself
    }
  }

  private async send(signal: AbortSignal): Promise<void> {
    const print = await this.identify();
    const grant = await this.retry(() => this.deps.credentials.get(), signal).catch((error: unknown) => {
      throw isAbort(error) ? error : new CredentialsError();
    });
    this.digest ??= fileDigest(this.file, this.life.signal);
    // its failure is handled where the digest is awaited
    this.digest.catch(() => undefined);

    let session = await this.open(print, grant.privateBucket, signal);
    this.session = session;
    for (let again = 0; ; again += 1) {
      try {
        await this.sendMissing(session, signal);
        this.set({ phase: "finishing", bytesPerSecond: 0, secondsLeft: undefined });
        const { record, done } = session;
        // idempotent: a repeated complete gets the same response as the first
        await this.retry(() => this.deps.store.complete(record.key, record.uploadId, done), signal);
        break;
      } catch (error) {
        const gone = error instanceof StorageError && error.fault === "gone";
        if (!gone || again > 0) throw error;
        // the store has deleted the old upload (expired): begin a new one
        this.forget(session.record);
        session = await this.begin(print, grant.privateBucket, signal);
        this.session = session;
      }
    }
    const sha256 = await this.digest;
    const { key, bucket } = session.record;
    this.forget(session.record);
    this.set({ phase: "complete", sentBytes: this.file.size, bytesPerSecond: 0, secondsLeft: 0 });
    this.resolveResult({ bucket, key, size: this.file.size, sha256 });
  }

  private async identify(): Promise<Fingerprint> {
    try {
      return await fingerprint(this.file);
    } catch {
      throw new StorageError("file", "the file cannot be read");
    }
  }

  /** Finds the unfinished upload of this file, or begins a new one. */
  private async open(print: Fingerprint, bucket: string, signal: AbortSignal): Promise<Session> {
    const record = this.session?.record ?? this.deps.records.find(print, this.target.modelType, bucket);
    if (record) {
      try {
        const stored = await this.retry(
          () => this.deps.store.listParts(record.key, record.uploadId, signal),
          signal,
        );
        return { record, ...reconcile(planParts(this.file.size), stored) };
      } catch (error) {
        const gone = error instanceof StorageError && (error.fault === "gone" || error.status === 404);
        if (!gone) throw error;
        this.forget(record);
      }
    }
    return this.begin(print, bucket, signal);
  }

  private async begin(print: Fingerprint, bucket: string, signal: AbortSignal): Promise<Session> {
    const { userId } = this.target;
    const now = this.now();
    const key = objectKey(userId, this.file.name, new Date(now), randomSegment());
    const type = this.file.type || "application/octet-stream";
    const uploadId = await this.retry(() => this.deps.store.create(key, type, signal), signal);
    const record: UploadRecord = {
      ...this.target,
      id: key,
      bucket,
      key,
      uploadId,
      file: print,
      startedAt: now,
      confirmed: 0,
    };
    this.deps.records.put(record);
    this.set({ sentBytes: 0, resumedBytes: 0 });
    if (this.handle) await keepHandle(record.id, this.handle);
    return { record, done: [], missing: planParts(this.file.size) };
  }

  private async sendMissing(session: Session, signal: AbortSignal): Promise<void> {
    const before = session.done.reduce((sum, p) => sum + p.size, 0);
    this.stage = "uploading";
    this.set({
      phase: this.gate ? "paused" : "uploading",
      sentBytes: Math.max(before, this.state.sentBytes),
      resumedBytes: before,
    });
    this.speed.add(this.now(), before);
    let sent = before;
    // without new bytes the displayed speed falls to zero within seconds
    const clock = setInterval(() => this.progress(sent), 1000);
    try {
      await runParts(session.missing, signal, {
        send: (part, partSignal, onSent) => this.sendPart(session, part, partSignal, onSent),
        wait: this.deps.wait,
        renewCredentials: () => this.renew(signal),
        onProgress: (bytes) => {
          sent = before + bytes;
          this.progress(sent);
        },
        onPart: (part) => {
          session.done.push(part);
          session.record.confirmed = session.done.reduce((sum, p) => sum + p.size, 0);
          this.deps.records.put(session.record);
        },
      });
    } finally {
      clearInterval(clock);
    }
    // the last parts may arrive after a pause
    await this.opened(signal);
  }

  private sendPart(
    { record }: Session,
    part: Part,
    signal: AbortSignal,
    onSent: (bytes: number) => void,
  ): Promise<string> {
    const body = this.file.slice(part.start, part.end);
    return this.line.carry(
      signal,
      async (alive) => {
        this.moving += 1;
        try {
          return await this.deps.store.uploadPart(record.key, record.uploadId, part.partNumber, body, {
            signal,
            onSent: (bytes) => {
              if (bytes > 0) alive();
              onSent(bytes);
            },
          });
        } finally {
          this.moving -= 1;
          if (this.state.draining && this.moving === 0) this.set({ draining: false });
        }
      },
      (partSignal) => this.opened(partSignal),
    );
  }

  /** Resolves when the upload is not paused. */
  private async opened(signal: AbortSignal): Promise<void> {
    while (this.gate) {
      const { opened } = this.gate;
      await new Promise<void>((resolve, reject) => {
        const stop = () => reject(abortError());
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
        void opened.then(() => {
          signal.removeEventListener("abort", stop);
          resolve();
        });
      });
    }
  }

  private async retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.line.carry(signal, work);
      } catch (error) {
        const fault = error instanceof StorageError ? error.fault : undefined;
        if (attempt >= 4 || (fault !== "transient" && fault !== "credentials")) throw error;
        await (this.deps.wait ?? sleep)(backoffMs(attempt), signal);
        if (fault === "credentials") await this.renew(signal);
      }
    }
  }

  private async renew(signal: AbortSignal): Promise<void> {
    await this.line.carry(signal, () => this.deps.credentials.get({ renew: true }));
  }

  /** A part that is sent again subtracts its bytes: the bar waits for them instead of running backwards. */
  private progress(sent: number): void {
    const { phase, offline } = this.state;
    const sentBytes = Math.max(sent, this.state.sentBytes);
    if (phase === "paused" && sentBytes > this.state.sentBytes) this.set({ sentBytes });
    if (phase !== "uploading") return;
    if (offline) {
      if (sentBytes > this.state.sentBytes) this.set({ sentBytes });
      return;
    }
    this.speed.add(this.now(), sent);
    const rate = this.speed.bytesPerSecond();
    this.set({
      sentBytes,
      bytesPerSecond: rate,
      secondsLeft: rate > 0 ? Math.ceil((this.file.size - sent) / rate) : undefined,
    });
  }

  private forget(record: UploadRecord): void {
    this.deps.records.remove(record.id);
    void dropHandle(record.id);
    if (this.session?.record === record) this.session = undefined;
  }

  private now(): number {
    return this.deps.now?.() ?? Date.now();
  }

  private set(change: Partial<UploadState>): void {
    // nothing may revive a cancelled upload
    if (this.state.phase === "cancelled") return;
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

function faultOf(error: unknown): UploadFault {
  if (error instanceof CredentialsError) return "params";
  if (error instanceof StorageError && error.fault === "file") return "file";
  return "storage";
}
