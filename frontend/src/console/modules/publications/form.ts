import type {
  PersonalPublicationContent,
  PersonalPublicationSaveRequest,
} from "../../api/generated/personal";
import { moment } from "../../kit/format";
import { isUploaded } from "./uploaded";
import { AFTER_REGISTRATION, KINDS, type Kind, PLACES, RULES } from "./words";

type FieldValue = string | number;

/** One field of a kind: its input and its limits (the service checks the same). */
export interface FieldRule {
  name: string;
  label: string;
  /** Minimum and maximum length in characters; an address has its own rule. */
  least?: number;
  most?: number;
  rows?: number;
  address?: boolean;
  /** The address of a picture, which can be uploaded. */
  picture?: boolean;
  hint?: string;
  choices?: readonly { value: number; text: string }[];
  /** Of an ad: a picture of a page. */
  ad?: boolean;
}

const ADDRESS_HINT = "站内路径，或以 https:// 开头的地址";
const MOST_OF_ADDRESS = 2_000;

export const FIELDS: Readonly<Record<Kind, readonly FieldRule[]>> = {
  announcement: [
    { name: "title", label: "标题", least: 1, most: 100 },
    { name: "content", label: "内容", least: 1, most: 5_000, rows: 6, hint: "纯文本，换行会保留" },
    { name: "link", label: "链接", address: true, hint: `可不填；${ADDRESS_HINT}` },
  ],
  popup: [
    { name: "place", label: "位置", choices: PLACES },
    { name: "img", label: "图片地址", least: 1, address: true, picture: true, ad: true },
    { name: "jumpLink", label: "跳转链接", address: true, hint: `可不填；${ADDRESS_HINT}`, ad: true },
    { name: "popRule", label: "频率", choices: RULES, ad: true },
  ],
  memberPopup: [{ name: "tipText", label: "提示文字", least: 1, most: 500, rows: 3 }],
  friendLink: [
    { name: "name", label: "名称", least: 1, most: 50 },
    { name: "link", label: "链接", least: 1, address: true, hint: ADDRESS_HINT },
  ],
  clientVersion: [
    { name: "version", label: "版本号", least: 1, most: 32 },
    { name: "fileUrl", label: "安装包地址", least: 1, address: true, hint: ADDRESS_HINT },
    { name: "sha256", label: "SHA-256", most: 64, hint: "可不填；64 位十六进制，用户用来核对安装包" },
    { name: "notes", label: "更新说明", least: 0, most: 5_000, rows: 6 },
  ],
};

/** Content of the editor. */
export interface Draft {
  kind: Kind;
  fields: Readonly<Record<string, FieldValue>>;
  startsAt: number;
  endsAt: number;
  position: number;
}

/** Content of a publication or of one of its revisions. */
export interface Held {
  content: PersonalPublicationContent;
  startsAt: number;
  endsAt: number;
  position: number;
}

const isKind = (name: string): name is Kind => KINDS.some(({ value }) => value === name);

export const readKind = (name: string | null | undefined): Kind =>
  name && isKind(name) ? name : KINDS[0].value;

/** The fields that have an effect with what the draft holds so far. */
export const fieldsOf = ({ kind, fields }: Draft): readonly FieldRule[] =>
  FIELDS[kind].filter(({ ad }) => !ad || fields.place !== AFTER_REGISTRATION);

/** What an absent field means. */
const blank = (kind: Kind): Record<string, FieldValue> =>
  Object.fromEntries(FIELDS[kind].map(({ name, choices }) => [name, choices ? 0 : ""]));

export const emptyDraft = (kind: Kind): Draft => ({
  kind,
  fields: Object.fromEntries(FIELDS[kind].map(({ name, choices }) => [name, choices?.[0]?.value ?? ""])),
  startsAt: 0,
  endsAt: 0,
  position: 0,
});

export function draftOf({ content, startsAt, endsAt, position }: Held): Draft {
  const kind = readKind(KINDS.find(({ value }) => content[value])?.value);
  const held = content[kind] as Record<string, FieldValue> | undefined;
  return { kind, fields: { ...blank(kind), ...held }, startsAt, endsAt, position };
}

export function requestOf(draft: Draft): PersonalPublicationSaveRequest {
  const fields = fieldsOf(draft).map(({ name }) => {
    const value = draft.fields[name] ?? "";
    return [name, typeof value === "string" ? value.trim() : value];
  });
  return {
    content: { [draft.kind]: { ...blank(draft.kind), ...Object.fromEntries(fields) } },
    startsAt: draft.startsAt,
    endsAt: draft.endsAt,
    position: draft.position,
  };
}

/** The title in a list. */
export function titleOf(held: Held): string {
  const { kind, fields } = draftOf(held);
  if (kind === "popup") return `${PLACES.find(({ value }) => value === fields.place)?.text ?? ""}弹窗`;
  const name = {
    announcement: "title",
    memberPopup: "tipText",
    friendLink: "name",
    clientVersion: "version",
  };
  return String(fields[name[kind]] ?? "") || (kind === "clientVersion" ? "未写版本号" : "未命名");
}

const isPage = (text: string) => text.startsWith("/") && !text.startsWith("//") && !text.startsWith("/\\");

/** A page of the site or a web address: never a script. */
export const isAddress = (text: string): boolean =>
  text.length <= MOST_OF_ADDRESS && !/[\s\p{Cc}]/u.test(text) && (isPage(text) || /^https:\/\/./.test(text));

function problemOf(rule: FieldRule, value: FieldValue): string | undefined {
  if (rule.choices) return undefined;
  const text = String(value).trim();
  const length = [...text].length;
  const { label, least = 0, most = MOST_OF_ADDRESS } = rule;
  if (rule.address) {
    if (!text) return least > 0 ? `请填写${label}` : undefined;
    // pages of the site load no external pictures
    if (rule.picture)
      return isUploaded(text) || (isPage(text) && isAddress(text)) ? undefined : "请上传图片，或填写站内路径";
    return isAddress(text) ? undefined : `${label}应为${ADDRESS_HINT}`;
  }
  if (rule.name === "sha256")
    return text && !/^[0-9a-f]{64}$/i.test(text) ? "SHA-256 应为 64 位十六进制" : undefined;
  if (length < least) return `请填写${label}`;
  return length > most ? `${label}最多 ${most} 个字符` : undefined;
}

export const MOST_POSITION = 1_000;

/** Problems by field; empty: it may be saved, and with `publishedAt` published at that time. */
export function problemsOf(draft: Draft, publishedAt = 0): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const rule of fieldsOf(draft)) {
    const problem = problemOf(rule, draft.fields[rule.name] ?? "");
    if (problem) problems[rule.name] = problem;
  }
  if (draft.endsAt > 0 && draft.endsAt <= draft.startsAt) problems.endsAt = "结束时间应晚于开始时间";
  else if (draft.endsAt > 0 && draft.endsAt <= publishedAt) problems.endsAt = "结束时间已过";
  if (!Number.isInteger(draft.position) || Math.abs(draft.position) > MOST_POSITION)
    problems.position = `排序应为 -${MOST_POSITION} 到 ${MOST_POSITION} 的整数`;
  return problems;
}

/** The content by the form's labels, for a comparison field by field. */
export function toldOf(held: Held): Readonly<Record<string, string>> {
  const draft = draftOf(held);
  return {
    ...Object.fromEntries(
      fieldsOf(draft).map(({ name, label, choices }) => [
        label,
        String(choices?.find(({ value }) => value === draft.fields[name])?.text ?? draft.fields[name] ?? ""),
      ]),
    ),
    开始时间: draft.startsAt > 0 ? moment(draft.startsAt) : "发布后立即",
    结束时间: draft.endsAt > 0 ? moment(draft.endsAt) : "不结束",
    排序: String(draft.position),
  };
}
