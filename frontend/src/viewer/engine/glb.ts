import { ViewerError } from "./errors";

interface View {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  extensions?: Record<string, { buffer: number; byteOffset?: number }>;
}

/** The parts of a glTF document that have to be changed. */
export interface GltfDocument {
  buffers?: { byteLength: number; uri?: string }[];
  bufferViews?: View[];
  images?: { uri?: string; bufferView?: number }[];
}

const MESHOPT = ["EXT_meshopt_compression", "KHR_meshopt_compression"] as const;
const ALIGNMENT = 16;

/** A GLB from a document whose buffers and images are referenced by URIs, which `bytesOf` resolves. */
export function toGlb(document: GltfDocument, bytesOf: (uri: string) => Uint8Array): ArrayBuffer {
  const parts: { at: number; bytes: Uint8Array }[] = [];
  const places = new Map<string, number>();
  let length = 0;
  const place = (uri: string): number => {
    const known = places.get(uri);
    if (known !== undefined) return known;
    const at = Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    const bytes = bytesOf(uri);
    parts.push({ at, bytes });
    places.set(uri, at);
    length = at + bytes.length;
    return at;
  };
  // data with a URI goes into the one binary chunk; the other buffers are empty fallbacks of compressed views
  const rest: { byteLength: number }[] = [];
  const moved = (document.buffers ?? []).map((buffer) => {
    if (buffer.uri !== undefined) return { buffer: 0, base: place(buffer.uri) };
    rest.push(buffer);
    return { buffer: rest.length, base: 0 };
  });
  const move = <V extends { buffer: number; byteOffset?: number }>(view: V): V => {
    const to = moved[view.buffer];
    if (!to) throw new ViewerError("broken");
    return { ...view, buffer: to.buffer, byteOffset: to.base + (view.byteOffset ?? 0) };
  };
  const views = (document.bufferViews ?? []).map((view) => {
    const extensions = { ...view.extensions };
    for (const name of MESHOPT) {
      const packed = extensions[name];
      if (packed) extensions[name] = move(packed);
    }
    return { ...move(view), ...(view.extensions && { extensions }) };
  });
  const images = (document.images ?? []).map(({ uri, ...image }) => {
    if (uri === undefined) return image;
    const byteOffset = place(uri);
    const last = parts.find(({ at }) => at === byteOffset);
    views.push({ buffer: 0, byteOffset, byteLength: last?.bytes.length ?? 0 });
    return { ...image, bufferView: views.length - 1 };
  });
  const json = {
    ...document,
    buffers: [{ byteLength: length }, ...rest],
    ...(views.length > 0 && { bufferViews: views }),
    ...(images.length > 0 && { images }),
  };
  return assemble(new TextEncoder().encode(JSON.stringify(json)), parts, length);
}

function assemble(text: Uint8Array, parts: readonly { at: number; bytes: Uint8Array }[], length: number) {
  const whole = (n: number) => Math.ceil(n / 4) * 4;
  const [jsonLength, binLength] = [whole(text.length), whole(length)];
  const total = 28 + jsonLength + binLength;
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  for (const [at, word] of [0x46546c67, 2, total, jsonLength, 0x4e4f534a].entries())
    view.setUint32(at * 4, word, true);
  out.fill(0x20, 20, 20 + jsonLength);
  out.set(text, 20);
  view.setUint32(20 + jsonLength, binLength, true);
  view.setUint32(24 + jsonLength, 0x004e4942, true);
  for (const { at, bytes } of parts) out.set(bytes, 28 + jsonLength + at);
  return out.buffer;
}
