import { type Credentials, CredentialsError } from "./credentials";
import { fileDigest } from "./digest";
import { StorageError } from "./errors";
import { type Fingerprint, fingerprint } from "./fingerprint";
import { dropHandle, type FileHandle, keepHandle } from "./handles";
import { backoffMs, objectKey, type Part, planParts, randomSegment, reconcile, Throughput } from "./plan";
import type { UploadRecord, UploadRecords } from "./records";
import { isAbort, type S3Multipart, type StoredPart } from "./s3";
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
  fault?: UploadFault;
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
  private run = new AbortController();
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
    this.state = {
      phase: "preparing",
      fileName: file.name,
      size: file.size,
      sentBytes: 0,
      resumedBytes: 0,
      bytesPerSecond: 0,
      secondsLeft: undefined,
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

  /** Starts, or resumes after a pause or a failure. */
  async start(): Promise<void> {
    const { phase } = this.state;
    if (phase === "uploading" || phase === "finishing" || phase === "complete" || phase === "cancelled")
      return;
    const run = new AbortController();
    this.run = run;
    this.speed.reset();
    this.set({ phase: "preparing", fault: undefined, secondsLeft: undefined });
    try {
      await this.send(run.signal);
    } catch (error) {
      // paused or cancelled; a later start may already be under way
      if (run.signal.aborted || isAbort(error)) return;
      this.digest = undefined;
      this.set({ phase: "failed", fault: faultOf(error), bytesPerSecond: 0, secondsLeft: undefined });
    }
  }

  pause(): void {
    if (this.state.phase !== "uploading" && this.state.phase !== "preparing") return;
    this.run.abort();
    this.set({ phase: "paused", bytesPerSecond: 0, secondsLeft: undefined });
  }

  /** Cancels for good and frees what the store holds. */
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
    const grant = await this.deps.credentials.get();
    this.digest ??= fileDigest(this.file, this.life.signal);
    // its failure is handled where the digest is awaited
    this.digest.catch(() => undefined);

    let session = await this.open(print, grant.privateBucket, signal);
    this.session = session;
    for (let again = 0; ; again += 1) {
      try {
        await this.sendMissing(session, signal);
        this.set({ phase: "finishing", secondsLeft: undefined });
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
    if (this.handle) await keepHandle(record.id, this.handle);
    return { record, done: [], missing: planParts(this.file.size) };
  }

  private async sendMissing(session: Session, signal: AbortSignal): Promise<void> {
    const before = session.done.reduce((sum, p) => sum + p.size, 0);
    this.set({ phase: "uploading", sentBytes: before, resumedBytes: before });
    this.speed.add(this.now(), before);
    const { key, uploadId } = session.record;
    await runParts(session.missing, signal, {
      send: (part, partSignal, onSent) =>
        this.deps.store.uploadPart(key, uploadId, part.partNumber, this.file.slice(part.start, part.end), {
          signal: partSignal,
          onSent,
        }),
      wait: this.deps.wait,
      renewCredentials: async () => {
        await this.deps.credentials.get({ renew: true });
      },
      onProgress: (sent) => this.progress(before + sent),
      onPart: (part) => {
        session.done.push(part);
        session.record.confirmed = session.done.reduce((sum, p) => sum + p.size, 0);
        this.deps.records.put(session.record);
      },
    });
  }

  private async retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const fault = error instanceof StorageError ? error.fault : undefined;
        if (attempt >= 4 || (fault !== "transient" && fault !== "credentials")) throw error;
        await (this.deps.wait ?? sleep)(backoffMs(attempt), signal);
        if (fault === "credentials") await this.deps.credentials.get({ renew: true });
      }
    }
  }

  private progress(sent: number): void {
    if (this.state.phase !== "uploading") return;
    this.speed.add(this.now(), sent);
    const rate = this.speed.bytesPerSecond();
    this.set({
      sentBytes: sent,
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
