import { crc32 } from "@/lib/crc32";
import { ViewerError } from "./errors";
import { type GltfDocument, toGlb } from "./glb";

/** AMRT, the product's own package: docs/amrt.md. Can read a file that is still being received. */
export interface AmrtManifest {
  title: string;
  author?: string;
  license?: string;
  source?: { format?: string; file?: string; unit?: string; upAxis?: string };
  /** metres, Y up */
  bounds?: { min: [number, number, number]; max: [number, number, number] };
  statistics?: Record<string, number>;
  animations?: { name: string; seconds: number }[];
  thumbnail?: number;
  levels: AmrtLevel[];
  sections: AmrtSection[];
}

export interface AmrtLevel {
  document: number;
  sections: number[];
  triangles: number;
  error: number;
  requires?: string[];
}

export interface AmrtSection {
  kind: string;
  offset: number;
  length: number;
  crc32: string;
  mime?: string;
  encoding?: string;
  size?: number;
}

export interface AmrtHead {
  manifest: AmrtManifest;
  /** bytes to the first section */
  start: number;
}

const MAGIC = [0x89, 0x41, 0x4d, 0x52, 0x54, 0x0d, 0x0a, 0x1a] as const;
const MAJOR = 1;
const HEADER = 32;
const ALIGNMENT = 16;
const MOST_MANIFEST = 16 * 1_048_576;
const MOST_SECTIONS = 16_384;
/** Deflate's highest compression ratio. */
const MOST_DEFLATE = 1032;

const broken = () => new ViewerError("broken");

/** Whether the file starts with AMRT's signature; undefined while there are too few bytes. */
export function isAmrt(bytes: Uint8Array): boolean | undefined {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let at = 0; at < known; at += 1) if (bytes[at] !== MAGIC[at]) return false;
  return known === MAGIC.length ? true : undefined;
}

/** The manifest, or undefined while its bytes have not all arrived. */
export function readHead(bytes: Uint8Array): AmrtHead | undefined {
  if (bytes.length < HEADER) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  if (view.getUint16(8, true) !== MAJOR) throw new ViewerError("version");
  if (view.getUint32(28, true) !== crc32(bytes.subarray(0, 28))) throw broken();
  const length = view.getUint32(12, true);
  if (length > MOST_MANIFEST) throw broken();
  if (bytes.length < HEADER + length) return undefined;
  const text = bytes.subarray(HEADER, HEADER + length);
  if (view.getUint32(24, true) !== crc32(text)) throw broken();
  const manifest = parse(text) as AmrtManifest | null;
  const { levels, sections } = manifest ?? {};
  if (!manifest || !Array.isArray(levels) || !Array.isArray(sections)) throw broken();
  if (levels.length === 0 || sections.length > MOST_SECTIONS) throw broken();
  return { manifest, start: Math.ceil((HEADER + length) / ALIGNMENT) * ALIGNMENT };
}

/** Bytes of the file up to the end of the last section that a level needs. */
export function endOfLevel({ manifest, start }: AmrtHead, level: AmrtLevel): number {
  const needed = [level.document, ...(level.sections ?? [])];
  let end = start;
  for (const index of needed) {
    const section = manifest.sections[index];
    if (!section) throw broken();
    end = Math.max(end, start + section.offset + section.length);
  }
  return end;
}

/** Supported extensions for geometry and images; those for materials are all supported, or make little difference. */
const KNOWN = [
  "EXT_meshopt_compression",
  "KHR_meshopt_compression",
  "EXT_mesh_gpu_instancing",
  "EXT_texture_webp",
  "KHR_texture_basisu",
  "KHR_mesh_quantization",
  "KHR_texture_transform",
];

const canShow = (level: AmrtLevel): boolean =>
  (level.requires ?? []).every((name) => KNOWN.includes(name) || name.startsWith("KHR_materials_"));

/** The level to show before the full model is loaded. */
export function coarseLevel({ manifest }: AmrtHead): AmrtLevel | undefined {
  return manifest.levels.slice(0, -1).find(canShow);
}

export function fullLevel({ manifest }: AmrtHead): AmrtLevel {
  const level = manifest.levels[manifest.levels.length - 1];
  if (!level) throw broken();
  if (!canShow(level)) throw new ViewerError("version");
  return level;
}

/** One level as a GLB in memory: nothing is decoded, the streams are only concatenated. */
export async function levelToGlb(bytes: Uint8Array, head: AmrtHead, level: AmrtLevel): Promise<ArrayBuffer> {
  const section = (index: number): Uint8Array<ArrayBuffer> => {
    const about = head.manifest.sections[index];
    if (!about) throw broken();
    const from = head.start + about.offset;
    const to = from + about.length;
    if (!(from >= head.start && to >= from && to <= bytes.length)) throw broken();
    const own = bytes.subarray(from, to) as Uint8Array<ArrayBuffer>;
    if (Number.parseInt(about.crc32, 16) !== crc32(own)) throw broken();
    return own;
  };
  const about = head.manifest.sections[level.document];
  const packed = section(level.document);
  if (about?.encoding && about.encoding !== "deflate") throw new ViewerError("version");
  const text = about?.encoding ? await inflate(packed, about.size ?? 0) : packed;
  const document = parse(text) as GltfDocument | null;
  if (!document || typeof document !== "object") throw broken();
  return toGlb(document, (uri) => {
    const index = /^amrt:(\d{1,6})$/.exec(uri)?.[1];
    if (index === undefined) throw broken();
    return section(Number(index));
  });
}

function parse(text: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(text));
  } catch (error) {
    throw new ViewerError("broken", error);
  }
}

/** zlib, limited to the size in the manifest. */
async function inflate(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  if (!(size >= 0 && size <= packed.length * MOST_DEFLATE)) throw broken();
  const out = new Uint8Array(size);
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(packed);
      controller.close();
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("deflate")).getReader();
  let at = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (at + step.value.length > size) throw broken();
      out.set(step.value, at);
      at += step.value.length;
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    throw new ViewerError("broken", error);
  }
  if (at !== size) throw broken();
  return out;
}
