import type { Fingerprint } from "./fingerprint";
import { sameFile } from "./fingerprint";

/** An unfinished upload that survives a reload. Contains no credentials. */
export interface UploadRecord {
  id: string;
  userId: string;
  bucket: string;
  key: string;
  uploadId: string;
  file: Fingerprint;
  modelType: "object" | "scene";
  fileSource: string;
  origin: string;
  startedAt: number;
  /** bytes confirmed by the store at last sight; for display only, ListParts is authoritative */
  confirmed: number;
}

/** The store deletes unfinished uploads; an older record is useless. */
const KEEP_MS = 7 * 24 * 3600 * 1000;
const MAX_RECORDS = 20;

/** Records in `localStorage`, one list per user. If storage is full or forbidden, only resuming is lost. */
export class UploadRecords {
  constructor(
    private readonly userId: string,
    private readonly storage: Storage | undefined = safeStorage(),
    private readonly now: () => number = Date.now,
  ) {}

  private get name(): string {
    return `xuanlan.uploads.${this.userId}`;
  }

  list(): UploadRecord[] {
    try {
      const raw: unknown = JSON.parse(this.storage?.getItem(this.name) ?? "[]");
      if (!Array.isArray(raw)) return [];
      return raw.filter(
        (r): r is UploadRecord =>
          isRecord(r) && r.userId === this.userId && this.now() - r.startedAt < KEEP_MS,
      );
    } catch {
      return [];
    }
  }

  find(file: Fingerprint, modelType: string, bucket: string): UploadRecord | undefined {
    return this.list().find(
      (r) => r.modelType === modelType && r.bucket === bucket && sameFile(r.file, file),
    );
  }

  put(record: UploadRecord): void {
    const others = this.list().filter((r) => r.id !== record.id);
    this.write([record, ...others].slice(0, MAX_RECORDS));
  }

  remove(id: string): void {
    this.write(this.list().filter((r) => r.id !== id));
  }

  private write(records: UploadRecord[]): void {
    try {
      this.storage?.setItem(this.name, JSON.stringify(records));
    } catch {
      // quota or private mode
    }
  }
}

function isRecord(value: unknown): value is UploadRecord {
  if (typeof value !== "object" || value === null) return false;
  const r = value as Partial<UploadRecord>;
  return (
    typeof r.id === "string" &&
    typeof r.key === "string" &&
    typeof r.bucket === "string" &&
    typeof r.uploadId === "string" &&
    typeof r.startedAt === "number" &&
    typeof r.file === "object" &&
    r.file !== null &&
    typeof r.file.size === "number"
  );
}

function safeStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
