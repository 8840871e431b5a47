/** Models to upload, made by the product's own generator, and the engine's reports on them. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { binary } from "./site.mjs";

const run = promisify(execFile);
const MOST_OUTPUT = 32 * 1024 * 1024;

async function engine(...words) {
  const { stdout } = await run(binary(), ["modelkit", ...words], { maxBuffer: MOST_OUTPUT });
  return stdout;
}

/** Makes a sample; the file name extension selects the format. */
export async function sample(folder, kind, name, triangles = 3000) {
  const file = path.join(folder, name);
  await engine("sample", kind, file, "--triangles", String(triangles));
  return file;
}

/** The engine's own check report. */
export async function check(file) {
  return JSON.parse(await engine("check", file, "--json"));
}

export async function sha256(file) {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

/**
 * A zip of exactly `size` bytes: the files as they are, plus noise in place of a scanner's raw data. Nothing is
 * compressed, so the transferred size is the stated one.
 */
export async function zipOfSize(target, files, size) {
  const entries = await Promise.all(
    files.map(async (file) => ({ name: path.basename(file), data: await readFile(file) })),
  );
  const filler = { name: "scan/raw.bin", data: Buffer.alloc(0) };
  const without = store([...entries, filler]).length;
  if (without > size) throw new Error(`the models alone take ${without} bytes`);
  filler.data = noise(size - without);
  const bytes = store([...entries, filler]);
  await writeFile(target, bytes);
  return target;
}

/** Bytes without repetitions, the same in every run. */
function noise(length) {
  const bytes = Buffer.alloc(length);
  let state = 0x9e3779b9;
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}

function store(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const label = Buffer.from(name);
    // version 2.0, UTF-8 names, stored, 1980-01-01, then CRC and both sizes
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x0800, 2);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(label.length, 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), shared, label, data);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), shared, place, label);
    offset += 30 + label.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
