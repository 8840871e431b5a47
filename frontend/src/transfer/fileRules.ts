import { extensionOf, MB } from "./rules";

/**
 * The file types that a part of the product accepts besides models. `picture` is for users' own pictures and for
 * those in their reports; `img`, `video` and `zip` are the kinds of the generic uploader.
 */
export type FileKind = "picture" | "img" | "video" | "zip";

export const FILE_KINDS: Readonly<Record<FileKind, readonly string[]>> = {
  picture: ["jpg", "jpeg", "png", "bmp", "gif", "webp"],
  img: ["jpg", "png"],
  video: ["mp4", "m4v"],
  zip: ["zip", "rar"],
};

export const AVATAR_LIMIT_MB = 50;

export const fileMessages = {
  wrongType: {
    picture: "图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件",
    img: "图片格式不正确！仅支持jpg,png文件",
    video: "视频格式不正确！仅支持mp4,m4v文件",
    zip: "压缩包格式不正确！仅支持zip,rar文件",
  },
  tooLarge: (limitMb: number) => `单个文件不能超过${limitMb}M`,
  empty: "这个文件是空的，请重新选择",
  tooMany: (most: number) => `最多上传${most}个文件`,
} as const;

/** Undefined if the file may be uploaded here, else the reason why not. */
export function judgeFile(file: File, kind: FileKind, limitMb: number): string | undefined {
  if (!FILE_KINDS[kind].includes(extensionOf(file.name))) return fileMessages.wrongType[kind];
  if (file.size > limitMb * MB) return fileMessages.tooLarge(limitMb);
  return file.size > 0 ? undefined : fileMessages.empty;
}

/** For the file picker, which disables files of other types. */
export const acceptOf = (kind: FileKind): string => FILE_KINDS[kind].map((name) => `.${name}`).join(",");

/**
 * Name of an uploaded file in its object's key: without characters that separate addresses in a list (a comma) or parts of a
 * URL. The page keeps the original name.
 */
export const plainName = (file: File): string => `file.${extensionOf(file.name)}`;
