import { FORMATS } from "@/facts/formats";
import { extensionOf, MB, messages } from "./rules";

/** Rules of the simple uploader (one model, its textures, at most 100 MB together). */
export const SIMPLE_LIMIT_MB = 100;
const isFbx = (row: { name: string }) => row.name === "fbx";
/** FBX first: it alone has a condition. */
const SIMPLE = FORMATS.filter((row) => row.simple).sort((a, b) => Number(isFbx(b)) - Number(isFbx(a)));
export const TEXTURE_LIMIT_PX = 2048;
export const TEXTURE_LIMIT_MB = 5;
/** FBX 2013 writes version 7300. */
export const MIN_FBX_VERSION = 7300;

export const simpleMessages = {
  formats: `仅支持 ${SIMPLE.map((row) => (isFbx(row) ? "FBX（2013 及以上版本）" : row.title)).join("、")} 格式`,
  tooLarge: `文件大小不得超过${SIMPLE_LIMIT_MB}MB`,
  oldFbx: (version: string) => `FBX 版本过低（${version}），请用 2013 或更高版本重新导出`,
  badFbx: "这个文件不是有效的 FBX，请检查后重新选择",
  textureType: "贴图仅支持 jpg、png 格式",
  textureSize: `贴图尺寸不得超过 ${TEXTURE_LIMIT_PX}×${TEXTURE_LIMIT_PX} 像素`,
  textureWeight: `单个文件不能超过${TEXTURE_LIMIT_MB}M`,
  textureBroken: "贴图无法读取，请检查后重新选择",
} as const;

/** Undefined if the model may be uploaded, else the reason why not. */
export async function judgeSimpleModel(file: File): Promise<string | undefined> {
  const format = extensionOf(file.name);
  if (!SIMPLE.some((row) => row.extensions.includes(format))) return simpleMessages.formats;
  if (file.size <= 0) return messages.badFile;
  if (file.size > SIMPLE_LIMIT_MB * MB) return simpleMessages.tooLarge;
  if (format !== "fbx") return undefined;
  try {
    const version = fbxVersion(new Uint8Array(await file.slice(0, 4096).arrayBuffer()));
    if (version === undefined) return simpleMessages.badFbx;
    return version < MIN_FBX_VERSION ? simpleMessages.oldFbx((version / 1000).toFixed(1)) : undefined;
  } catch {
    return messages.badFile;
  }
}

/**
 * Version of an FBX file (7300 = 7.3) from its first kilobytes: a little-endian integer at byte 23 of a binary file,
 * `FBXVersion: 7300` or the comment `; FBX 7.3.0 project file` of a text one.
 */
export function fbxVersion(head: Uint8Array): number | undefined {
  const text = new TextDecoder("latin1").decode(head);
  if (text.startsWith("Kaydara FBX Binary") && head.length >= 27) {
    return new DataView(head.buffer, head.byteOffset, head.length).getUint32(23, true);
  }
  const field = /FBXVersion:\s*(\d{4,5})/.exec(text);
  if (field?.[1]) return Number(field[1]);
  const comment = /;\s*FBX\s+(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!comment) return undefined;
  return Number(comment[1]) * 1000 + Number(comment[2]) * 100 + Number(comment[3]);
}

/** Undefined if the texture may be used. */
export async function judgeTexture(file: File): Promise<string | undefined> {
  if (!["jpg", "jpeg", "png"].includes(extensionOf(file.name))) return simpleMessages.textureType;
  if (file.size > TEXTURE_LIMIT_MB * MB) return simpleMessages.textureWeight;
  try {
    const size = imageSize(new Uint8Array(await file.slice(0, 262_144).arrayBuffer()));
    if (!size) return simpleMessages.textureBroken;
    if (size.width > TEXTURE_LIMIT_PX || size.height > TEXTURE_LIMIT_PX) return simpleMessages.textureSize;
    return undefined;
  } catch {
    return messages.badFile;
  }
}

/** Width and height from the header of a PNG or JPEG, without decoding any pixel. */
export function imageSize(head: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (head.length >= 24 && view.getUint32(0) === 0x89504e47) {
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (head.length < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= head.length) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const startOfFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (startOfFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
