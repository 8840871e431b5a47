import { idCard, PROVINCE } from "@/lib/validators";

/** Validates a field, with the same messages as the server. Undefined if valid. */
type Check = (value: string) => string | undefined;

export const PHOTO_LIMIT_MB = 5;

const said = (missing: string, wrong: string, right: (value: string) => boolean): Check => {
  return (value) => {
    const text = value.trim();
    if (text === "") return missing;
    return right(text) ? undefined : wrong;
  };
};

const length = (value: string) => Array.from(value).length;
const within = (value: string, least: number, most: number) =>
  length(value) >= least && length(value) <= most;

/** Two letters or more of any script, with the dots that join the parts of some names. */
const isName = (value: string) =>
  within(value, 2, 30) && /^\p{Alphabetic}[·•.\-' ]*\p{Alphabetic}[\p{Alphabetic}·•.\-' ]*$/u.test(value);

const CREDIT_CHARACTERS = "0123456789ABCDEFGHJKLMNPQRTUWXY";
const CREDIT_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** A unified social credit identifier with its check character (GB 32100). */
export function isCreditCode(value: string): boolean {
  const text = value.toUpperCase();
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(text)) return false;
  // 10 stands for authorities of the whole country.
  const division = text.slice(2, 8);
  if (!division.startsWith("10") && !PROVINCE.test(division)) return false;
  const sum = CREDIT_WEIGHTS.reduce(
    (total, weight, at) => total + weight * CREDIT_CHARACTERS.indexOf(text.charAt(at)),
    0,
  );
  return CREDIT_CHARACTERS[(31 - (sum % 31)) % 31] === text[17];
}

const isWebsite = (value: string) =>
  value.length <= 200 &&
  /^https:\/\/[A-Za-z0-9.:-]*\.[A-Za-z0-9.:-]+(?:[/?#][!-~]*)?$/.test(value) &&
  !/[<>"'`\\]/.test(value);

export const checks = {
  realName: said("请输入真实姓名", "请输入正确的真实姓名", isName),
  idCard: said("请输入身份证号", "请输入正确的身份证号", idCard),
  companyName: said(
    "请输入企业名称",
    "请输入正确的企业名称",
    (value) => within(value, 2, 100) && /\p{Alphabetic}/u.test(value) && !/[<>]/.test(value),
  ),
  creditCode: said("请输入统一社会信用代码", "请输入正确的统一社会信用代码", isCreditCode),
  legalPerson: said("请输入法定代表人姓名", "请输入正确的法定代表人姓名", isName),
  contactPhone: said(
    "请输入联系电话",
    "请输入正确的联系电话",
    (value) =>
      /^(?:1[3-9]\d{9}|0(?:[12]\d|[03-9]\d\d)-?[2-9]\d{6,7}|[48]00-?\d(?:-?\d){6})$/.test(value) &&
      value.length <= 13,
  ),
  introduce: (value: string) =>
    within(value.trim(), 10, 500) ? undefined : "请用10~500个字介绍您的开发经验",
  website: (value: string) =>
    value.trim() === "" || isWebsite(value.trim()) ? undefined : "请输入以 https:// 开头的作品地址",
} satisfies Record<string, Check>;

export const photoMessages = {
  front: "请上传身份证人像面",
  back: "请上传身份证国徽面",
  license: "请上传营业执照",
  waiting: "图片还在上传，请稍候",
  consent: "请先阅读并同意证件信息的处理说明",
} as const;

export const DIRECTIONS = [
  { value: "app", title: "应用开发", note: "基于玄览云接口开发的网站、系统或客户端" },
  { value: "plugin", title: "插件开发", note: "建模软件里的上传、预览与处理插件" },
  { value: "model", title: "模型制作", note: "原创三维模型，或承接建模需求" },
] as const;
