import type { StoredPart } from "./s3";

/** The contract's part size, in bytes. */
export const PART_SIZE = 5_242_880;
/** Parts in flight at once. */
export const PARALLEL_PARTS = 4;
/** S3's own limit. */
export const MAX_PARTS = 10_000;

export interface Part {
  partNumber: number;
  start: number;
  /** exclusive */
  end: number;
}

/** Splits a file of `size` bytes into parts of 5 MB; the last one is the remainder. */
export function planParts(size: number, partSize: number = PART_SIZE): Part[] {
  if (!Number.isSafeInteger(size) || size <= 0) throw new RangeError("a file needs at least one byte");
  const count = Math.ceil(size / partSize);
  if (count > MAX_PARTS) throw new RangeError(`more than ${MAX_PARTS} parts`);
  const parts: Part[] = [];
  for (let i = 0; i < count; i += 1) {
    parts.push({ partNumber: i + 1, start: i * partSize, end: Math.min(size, (i + 1) * partSize) });
  }
  return parts;
}

/** Splits the plan into parts that are already stored and parts still to be sent. */
export function reconcile(
  plan: readonly Part[],
  stored: readonly StoredPart[],
): { done: StoredPart[]; missing: Part[] } {
  const held = new Map(stored.map((p) => [p.partNumber, p]));
  const done: StoredPart[] = [];
  const missing: Part[] = [];
  for (const part of plan) {
    const there = held.get(part.partNumber);
    // a part of another length belongs to another file, or was truncated
    if (there && there.size === part.end - part.start) done.push(there);
    else missing.push(part);
  }
  return { done, missing };
}

/** `u/{userId}/{yyyyMMdd}/{random}/{file name}`; the day is the user's own. */
export function objectKey(userId: string, fileName: string, now: Date, random: string): string {
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const name = Array.from(fileName, (c) => (isUnsafe(c) ? "_" : c))
    .slice(-120)
    .join("");
  // "." and ".." would be swallowed when the browser normalises the address
  const safe = name === "" || name === "." || name === ".." ? "_" : name;
  return `u/${userId}/${day}/${random}/${safe}`;
}

/** Control characters and path separators. */
function isUnsafe(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || code === 0x7f || character === "/" || character === "\\";
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

export function randomSegment(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Backoff before retry `n` (from 1): 1 s, 2 s, 4 s … 30 s, with jitter in [0.5, 1). */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(30_000, 1000 * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random() / 2));
}

/** Bytes per second over the last few seconds, so that a pause or parts resumed from earlier do not distort it. */
export class Throughput {
  private samples: { at: number; bytes: number }[] = [];

  constructor(private readonly windowMs = 8000) {}

  add(at: number, bytes: number): void {
    this.samples.push({ at, bytes });
    while (this.samples.length > 2 && at - (this.samples[0]?.at ?? at) > this.windowMs) {
      this.samples.shift();
    }
  }

  reset(): void {
    this.samples = [];
  }

  bytesPerSecond(): number {
    const first = this.samples[0];
    const last = this.samples[this.samples.length - 1];
    if (!first || !last || last.at - first.at < 250) return 0;
    return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at));
  }
}
