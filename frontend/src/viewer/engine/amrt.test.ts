import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { crc32 } from "@/lib/crc32";
import { coarseLevel, endOfLevel, fullLevel, isAmrt, levelToGlb, readHead } from "./amrt";

interface Part {
  kind: string;
  bytes: Uint8Array;
  encoding?: string;
  size?: number;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A package as the engine writes it. */
function amrt(parts: readonly Part[], levels: readonly object[], major = 1): Uint8Array {
  let end = 0;
  const sections = parts.map(({ bytes, ...about }) => {
    const offset = Math.ceil(end / 16) * 16;
    end = offset + bytes.length;
    return { ...about, offset, length: bytes.length, crc32: crc32(bytes).toString(16).padStart(8, "0") };
  });
  const text = bytesOf(JSON.stringify({ title: "齿轮", levels, sections, future: true }));
  const start = Math.ceil((32 + text.length) / 16) * 16;
  const out = new Uint8Array(start + end);
  const view = new DataView(out.buffer);
  out.set([0x89, 0x41, 0x4d, 0x52, 0x54, 0x0d, 0x0a, 0x1a]);
  view.setUint16(8, major, true);
  view.setUint32(12, text.length, true);
  view.setBigUint64(16, BigInt(out.length), true);
  view.setUint32(24, crc32(text), true);
  view.setUint32(28, crc32(out.subarray(0, 28)), true);
  out.set(text, 32);
  for (const [i, { bytes }] of parts.entries()) out.set(bytes, start + (sections[i]?.offset ?? 0));
  return out;
}

function document(geometry: number, image: number): Part {
  const json = {
    asset: { version: "2.0" },
    buffers: [{ byteLength: 6, uri: `amrt:${geometry}` }, { byteLength: 96 }],
    bufferViews: [
      {
        buffer: 1,
        byteOffset: 32,
        byteLength: 64,
        extensions: { EXT_meshopt_compression: { buffer: 0, byteOffset: 2, byteLength: 4 } },
      },
    ],
    images: [{ mimeType: "image/webp", name: "木头", uri: `amrt:${image}` }],
  };
  const text = bytesOf(JSON.stringify(json));
  return { kind: "document", bytes: deflateSync(text), encoding: "deflate", size: text.length };
}

const geometry = (fill: number): Part => ({ kind: "geometry", bytes: new Uint8Array(6).fill(fill) });
const image = (fill: number): Part => ({ kind: "image", bytes: new Uint8Array(5).fill(fill) });
const whole = (change: (parts: Part[]) => void = () => undefined, major = 1, requires: string[] = []) => {
  const parts = [document(1, 2), geometry(1), image(2), document(4, 5), geometry(3), image(4)];
  change(parts);
  return amrt(
    parts,
    [
      { document: 0, sections: [0, 1, 2], triangles: 10, error: 0.01 },
      { document: 3, sections: [3, 4, 5], triangles: 100, error: 0, requires },
    ],
    major,
  );
};

/** Document and binary chunk of a GLB. */
function opened(glb: ArrayBuffer): { json: Record<string, never>; bin: Uint8Array } {
  const view = new DataView(glb);
  expect(view.getUint32(0, true)).toBe(0x46546c67);
  expect(view.getUint32(8, true)).toBe(glb.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length)));
  return { json, bin: new Uint8Array(glb, 28 + length, view.getUint32(20 + length, true)) };
}

function head(bytes: Uint8Array) {
  const found = readHead(bytes);
  if (!found) throw new Error("no head");
  return found;
}

describe("AMRT", () => {
  it("is known by its first bytes, and its manifest as soon as it is there", () => {
    const bytes = whole();
    expect(isAmrt(bytes)).toBe(true);
    expect(isAmrt(bytes.subarray(0, 5))).toBeUndefined();
    expect(isAmrt(bytesOf("glTF"))).toBe(false);
    const { start } = head(bytes);
    expect(readHead(bytes.subarray(0, 31))).toBeUndefined();
    expect(readHead(bytes.subarray(0, 60))).toBeUndefined();
    expect(readHead(bytes.subarray(0, start))?.manifest.title).toBe("齿轮");
  });

  it("gives its coarse copy before the rest has come", async () => {
    const bytes = whole();
    const about = head(bytes);
    const coarse = coarseLevel(about);
    if (!coarse) throw new Error("no coarse level");
    const end = endOfLevel(about, coarse);
    expect(end).toBeLessThan(bytes.length);
    const { bin } = opened(await levelToGlb(bytes.subarray(0, end), about, coarse));
    expect(bin[0]).toBe(1);
    await expect(levelToGlb(bytes.subarray(0, end - 1), about, coarse)).rejects.toMatchObject({
      fault: "broken",
    });
  });

  it("becomes a GLB whose views lead to the same bytes", async () => {
    const bytes = whole();
    const about = head(bytes);
    const { json, bin } = opened(await levelToGlb(bytes, about, fullLevel(about)));
    expect(json).toMatchObject({
      buffers: [{ byteLength: 21 }, { byteLength: 96 }],
      bufferViews: [
        {
          buffer: 1,
          byteOffset: 32,
          extensions: { EXT_meshopt_compression: { buffer: 0, byteOffset: 2, byteLength: 4 } },
        },
        { buffer: 0, byteOffset: 16, byteLength: 5 },
      ],
      images: [{ mimeType: "image/webp", name: "木头", bufferView: 1 }],
    });
    expect([...bin.subarray(0, 6)]).toEqual([3, 3, 3, 3, 3, 3]);
    expect([...bin.subarray(16, 21)]).toEqual([4, 4, 4, 4, 4]);
  });

  it("tells a later version from a broken file", () => {
    expect(() => readHead(whole(undefined, 2))).toThrow(expect.objectContaining({ fault: "version" }));
    const known = head(whole(undefined, 1, ["EXT_texture_webp"]));
    expect(fullLevel(known).document).toBe(3);
    const later = head(whole(undefined, 1, ["EXT_texture_webp", "AMRT_hologram"]));
    expect(() => fullLevel(later)).toThrow(expect.objectContaining({ fault: "version" }));
    for (const at of [13, 20, 27, 31, 40]) {
      const bytes = whole();
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => readHead(bytes), `byte ${at}`).toThrow(expect.objectContaining({ fault: "broken" }));
    }
  });

  it.each<[string, (parts: Part[]) => void, string]>([
    ["a size that is too small", (parts) => Object.assign(parts[3] ?? {}, { size: 10 }), "broken"],
    ["a size that is too large", (parts) => Object.assign(parts[3] ?? {}, { size: 1e12 }), "broken"],
    [
      "bytes that are not deflate",
      (parts) => Object.assign(parts[3] ?? {}, { bytes: bytesOf("{}") }),
      "broken",
    ],
    ["an unknown coding", (parts) => Object.assign(parts[3] ?? {}, { encoding: "zstd" }), "version"],
    ["a section that is not there", (parts) => parts.splice(3, 1, document(4, 77)), "broken"],
    ["an address elsewhere", (parts) => parts.splice(3, 1, document(4, -1)), "broken"],
  ])("refuses %s", async (_name, change, fault) => {
    const bytes = whole(change);
    const about = head(bytes);
    await expect(levelToGlb(bytes, about, fullLevel(about))).rejects.toMatchObject({ fault });
  });

  it("notices a single changed bit of any section", async () => {
    const about = head(whole());
    for (const index of [3, 4, 5]) {
      const bytes = whole();
      const at = about.start + (about.manifest.sections[index]?.offset ?? 0);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      await expect(levelToGlb(bytes, about, fullLevel(about))).rejects.toMatchObject({ fault: "broken" });
    }
  });
});
