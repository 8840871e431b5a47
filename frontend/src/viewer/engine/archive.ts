import { ViewerError } from "./errors";

/** A file in the archive: offset of its header, and length of its data. */
interface Entry {
  header: number;
  size: number;
}

/** The end record, its comment, and the locator of archives above 4 GB before it. */
const TAIL = 65_557 + 20;
/** Fixed part of a local header; name and extra field follow. */
const HEADER = 30;
/** Reserve for a name and an extra field, so that header and data come in one request. */
const SLACK = 512;

const U32 = 0xffff_ffff;

/**
 * A tileset in one file: a ZIP with stored entries, read entry by entry with range requests. One signed URL serves all
 * tiles.
 */
export class TileArchive {
  private constructor(
    private readonly url: string,
    private readonly entries: ReadonlyMap<string, Entry>,
    /** bytes of the whole archive */
    readonly size: number,
  ) {}

  static async open(url: string, signal?: AbortSignal): Promise<TileArchive> {
    const tail = await ranged(url, `bytes=-${TAIL}`, signal);
    const end = findEnd(tail.bytes);
    let { count, start, length } = end;
    if (start === U32 || length === U32 || count === 0xffff) {
      const wide = await wideEnd(url, tail, end.at, signal);
      ({ count, start, length } = wide);
    }
    const first = tail.total - tail.bytes.byteLength;
    const directory =
      start >= first
        ? tail.bytes.subarray(start - first, start - first + length)
        : (await ranged(url, `bytes=${start}-${start + length - 1}`, signal)).bytes;
    return new TileArchive(url, readDirectory(directory, count), tail.total);
  }

  has(path: string): boolean {
    return this.entries.has(path);
  }

  /** The data of one entry. */
  async read(path: string, signal?: AbortSignal): Promise<Uint8Array> {
    const entry = this.entries.get(path);
    if (!entry) throw new ViewerError("broken");
    const last = Math.min(this.size, entry.header + HEADER + SLACK + entry.size) - 1;
    const { bytes } = await ranged(this.url, `bytes=${entry.header}-${last}`, signal);
    const view = viewOf(bytes);
    if (bytes.byteLength < HEADER || view.getUint32(0, true) !== 0x0403_4b50) throw new ViewerError("broken");
    const at = HEADER + view.getUint16(26, true) + view.getUint16(28, true);
    if (at + entry.size <= bytes.byteLength) return bytes.subarray(at, at + entry.size);
    const from = entry.header + at;
    return (await ranged(this.url, `bytes=${from}-${from + entry.size - 1}`, signal)).bytes;
  }
}

interface Part {
  bytes: Uint8Array;
  /** bytes of the whole object */
  total: number;
}

async function ranged(url: string, range: string, signal?: AbortSignal): Promise<Part> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { range }, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ViewerError("network", error);
  }
  if (response.status === 403 || response.status === 410) throw new ViewerError("expired");
  // A server that ignores ranges would send gigabytes for each tile.
  if (response.status !== 206) throw new ViewerError("network");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
  if (!Number.isSafeInteger(total)) throw new ViewerError("network");
  return { bytes, total };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function findEnd(bytes: Uint8Array): { at: number; count: number; length: number; start: number } {
  const view = viewOf(bytes);
  for (let at = bytes.byteLength - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== 0x0605_4b50) continue;
    return {
      at,
      count: view.getUint16(at + 10, true),
      length: view.getUint32(at + 12, true),
      start: view.getUint32(at + 16, true),
    };
  }
  throw new ViewerError("broken");
}

/** The end record of archives above 4 GB or 65,535 entries. */
async function wideEnd(url: string, tail: Part, end: number, signal?: AbortSignal) {
  const view = viewOf(tail.bytes);
  if (end < 20 || view.getUint32(end - 20, true) !== 0x0706_4b50) throw new ViewerError("broken");
  const at = Number(view.getBigUint64(end - 12, true));
  const record = viewOf((await ranged(url, `bytes=${at}-${at + 55}`, signal)).bytes);
  if (record.byteLength < 56 || record.getUint32(0, true) !== 0x0606_4b50) throw new ViewerError("broken");
  const number = (offset: number) => Number(record.getBigUint64(offset, true));
  return { count: number(32), length: number(40), start: number(48) };
}

function readDirectory(bytes: Uint8Array, count: number): Map<string, Entry> {
  const view = viewOf(bytes);
  const entries = new Map<string, Entry>();
  const text = new TextDecoder();
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > bytes.byteLength || view.getUint32(at, true) !== 0x0201_4b50)
      throw new ViewerError("broken");
    const method = view.getUint16(at + 10, true);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((o) =>
      view.getUint16(at + o, true),
    ) as [number, number, number];
    const nameAt = at + 46;
    const next = nameAt + nameLength + extraLength + commentLength;
    if (next > bytes.byteLength) throw new ViewerError("broken");
    const name = text.decode(bytes.subarray(nameAt, nameAt + nameLength));
    const entry = { size: view.getUint32(at + 20, true), header: view.getUint32(at + 42, true) };
    widen(view, nameAt + nameLength, extraLength, entry, view.getUint32(at + 24, true) === U32);
    if (method === 0) entries.set(name, entry);
    at = next;
  }
  return entries;
}

/** Reads the numbers that do not fit 32 bits from the extra field. */
function widen(view: DataView, from: number, length: number, entry: Entry, unpacked: boolean): void {
  for (let at = from; at + 4 <= from + length; ) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      let place = at + 4;
      const end = Math.min(place + size, from + length);
      const next = () => {
        if (place + 8 > end) throw new ViewerError("broken");
        place += 8;
        return Number(view.getBigUint64(place - 8, true));
      };
      if (unpacked) next();
      if (entry.size === U32) entry.size = next();
      if (entry.header === U32) entry.header = next();
    }
    at += 4 + size;
  }
}
