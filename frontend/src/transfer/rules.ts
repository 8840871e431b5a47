import { FORMATS } from "@/facts/formats";
import { FREE_SINGLE_MAX_MB, MEMBER_SINGLE_MAX_MB, SCENE_MAX_MB } from "@/facts/limits";

/** Upload rules and the exact messages of refusals. Sizes are powers of 1024. */
export const MB = 1_048_576;
export const GB = 1024 * MB;

export type ModelType = "object" | "scene";

export interface UploadSetting {
  modelFormat: string;
  /** MB */
  maxSize: number;
}

export const messages = {
  params: "获取上传参数出错",
  failed: "上传失败",
  noSettings: "暂无配置",
  badFile: "文件选择错误，请联系管理员",
  checkUnreachable: "体检接口访问失败",
  unsupported: "格式不支持",
  lineBreak: "文件名不能含有换行，请重命名后再上传",
  invisible: "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
  deniedObject: "文件格式不正确！仅支持.FBX,.OBJ,.STL,.ZIP,.RAR,.igs,.iges,.jt,.rvt,.stp,.step文件",
  deniedScene: "文件格式不正确！仅支持.ZIP,.RAR文件",
  oversize: (format: string, limitMb: number) => `${format}文件大小不得超过${limitMb}MB`,
} as const;

/** Larger single models are not uploaded on the web; support helps. */
export const CONTACT_ABOVE_MB = MEMBER_SINGLE_MAX_MB;

const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** Characters that are invisible or change the text direction; the server refuses them too. Joiners are fine. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;

const ARCHIVES: readonly string[] = FORMATS.flatMap((row) =>
  row.family === "archive" ? row.extensions : [],
);

export type FileVerdict =
  | { kind: "ok"; format: string }
  /** `byGrade`: a higher grade may upload it */
  | { kind: "refused"; message: string; byGrade?: boolean }
  /** too large for this user, or for the web: a dialog explains what to do */
  | { kind: "contact"; message: string }
  | { kind: "client"; message: string };

export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  return dot > 0 && dot < fileName.length - 1 ? fileName.slice(dot + 1).toLowerCase() : "";
}

/** Extensions accepted by the picker and the drop zone, lower case, from the server's settings. */
export function acceptedExtensions(modelType: ModelType, settings: readonly UploadSetting[]): string[] {
  if (modelType === "scene") return [...ARCHIVES];
  const known = settings.flatMap((s) => s.modelFormat.toLowerCase().split(/[,\s/|]+/));
  const formats = known.map((f) => f.replace(/^\./, "")).filter(Boolean);
  return [...new Set([...formats, ...ARCHIVES])];
}

export interface LimitContext {
  settings: readonly UploadSetting[];
  /** response of getFileMaxSize for this user, MB; undefined while unknown */
  userLimitMb?: number;
}

/** `{N}` in the message: the server's entry for the format, never above the user's own limit. */
export function limitMbOf(format: string, context: LimitContext): number {
  const entry = context.settings.find((s) =>
    s.modelFormat
      .toLowerCase()
      .split(/[,\s/|]+/)
      .map((f) => f.replace(/^\./, ""))
      .includes(format),
  );
  const candidates = [entry?.maxSize, context.userLimitMb].filter(
    (n): n is number => typeof n === "number" && Number.isFinite(n) && n > 0,
  );
  return candidates.length > 0 ? Math.min(...candidates) : FREE_SINGLE_MAX_MB;
}

/** Largest archive of oblique photography; one configured account may have more. */
export function sceneLimitMb(context: LimitContext): number {
  return Math.max(SCENE_MAX_MB, context.userLimitMb ?? 0);
}

export function judgeFile(
  file: { name: string; size: number },
  modelType: ModelType,
  context: LimitContext,
): FileVerdict {
  if (file.size <= 0) return { kind: "refused", message: messages.badFile };
  if (LINE_BREAK.test(file.name)) return { kind: "refused", message: messages.lineBreak };
  if (INVISIBLE.test(file.name)) return { kind: "refused", message: messages.invisible };
  const format = extensionOf(file.name);
  if (modelType === "scene") {
    if (!ARCHIVES.includes(format)) return { kind: "refused", message: messages.deniedScene };
    const limit = sceneLimitMb(context);
    if (file.size > limit * MB) {
      return {
        kind: "client",
        message: `倾斜摄影压缩包超过 ${limit / 1024} GB，网页无法稳定上传，请使用桌面客户端。`,
      };
    }
    return { kind: "ok", format };
  }
  if (context.settings.length === 0) return { kind: "refused", message: messages.noSettings };
  if (!acceptedExtensions("object", context.settings).includes(format)) {
    return { kind: "refused", message: messages.unsupported };
  }
  const limit = limitMbOf(format, context);
  // Only an account that the server exempts from the limits has a higher one; both its responses say so.
  if (file.size > CONTACT_ABOVE_MB * MB && limit <= CONTACT_ABOVE_MB) {
    return {
      kind: "contact",
      message: `单个模型超过 ${CONTACT_ABOVE_MB} MB，请联系客服，由我们协助上传，或使用桌面客户端。`,
    };
  }
  if (file.size > limit * MB) {
    return { kind: "refused", message: messages.oversize(format, limit), byGrade: true };
  }
  return { kind: "ok", format };
}

/** Dropped or picked files include a type that the zone does not accept at all. */
export function deniedMessage(modelType: ModelType): string {
  return modelType === "scene" ? messages.deniedScene : messages.deniedObject;
}

/** Default model name: the file name without its extension, at most 15 characters. */
export function defaultModelName(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const stem = dot > 0 ? fileName.slice(0, dot) : fileName;
  return Array.from(stem.trim()).slice(0, 15).join("");
}
