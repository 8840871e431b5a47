/** The header of a binary FBX file with a version (7300 = 7.3). */
export function binaryFbx(version: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set(new TextEncoder().encode("Kaydara FBX Binary  "));
  new DataView(bytes.buffer).setUint32(23, version, true);
  return bytes;
}

/** The header of a PNG image, sizes in pixels. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x89504e47);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** The header of a JPEG image, sizes in pixels: SOI, an APP0 segment, then a baseline frame header. */
export function jpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = [0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...frame, ...new Array(12).fill(0)]);
}

/** A file that reports the given size, but contains only `data`. */
export function sized(name: string, size: number, data: BlobPart = "x"): File {
  return Object.defineProperty(new File([data], name), "size", { value: size });
}
