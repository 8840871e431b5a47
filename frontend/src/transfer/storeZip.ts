import { crc32 } from "@/lib/crc32";

/**
 * Puts files into one zip without compressing them (pictures and models hardly shrink), as a Blob that refers to the
 * originals: only checksums are computed, nothing is copied into memory. Format: PKWARE APPNOTE 6.3.10, method 0,
 * UTF-8 names. For archives below 4 GB, which the simple uploader's 100 MB never reaches.
 */
export interface ZipEntry {
  name: string;
  data: Blob;
}

const SLICE = 4_194_304;
const UTF8_NAMES = 0x0800;

export async function storeZip(entries: readonly ZipEntry[]): Promise<Blob> {
  const body: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let directorySize = 0;
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name);
    const crc = await sumOf(entry.data);
    const common = new DataView(new ArrayBuffer(26));
    common.setUint16(0, 20, true);
    common.setUint16(2, UTF8_NAMES, true);
    common.setUint16(4, 0, true);
    common.setUint16(6, 0, true);
    common.setUint16(8, 0x21, true); // 1980-01-01, so that equal files give equal archives
    common.setUint32(10, crc, true);
    common.setUint32(14, entry.data.size, true);
    common.setUint32(18, entry.data.size, true);
    common.setUint16(22, name.length, true);
    common.setUint16(24, 0, true);

    body.push(signature(0x04034b50), common.buffer, name, entry.data);
    const tail = new DataView(new ArrayBuffer(14));
    tail.setUint32(10, offset, true);
    directory.push(signature(0x02014b50, 20), common.buffer, tail.buffer, name);
    offset += 30 + name.length + entry.data.size;
    directorySize += 46 + name.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, directorySize, true);
  end.setUint32(16, offset, true);
  return new Blob([...body, ...directory, end.buffer], { type: "application/zip" });
}

function signature(value: number, madeBy?: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(madeBy === undefined ? 4 : 6));
  view.setUint32(0, value, true);
  if (madeBy !== undefined) view.setUint16(4, madeBy, true);
  return view.buffer;
}

async function sumOf(data: Blob): Promise<number> {
  let crc = 0;
  for (let at = 0; at < data.size; at += SLICE) {
    crc = crc32(new Uint8Array(await data.slice(at, at + SLICE).arrayBuffer()), crc);
  }
  return crc;
}
