import type { ContentArticleDraft } from "../../api/generated/content";
import { type Run, readTyped, typed } from "./inline";

/** A block of the contract; fields unknown to this editor are preserved. */
export type BlockJson = Readonly<Record<string, unknown>> & { readonly type: string };

/** A block in the editor with a stable `key`. */
export interface Held {
  key: number;
  block: BlockJson;
}

let keys = 0;
export const held = (block: BlockJson): Held => {
  keys += 1;
  return { key: keys, block };
};

export const TYPES = [
  { value: "text", text: "段落" },
  { value: "heading", text: "标题" },
  { value: "list", text: "列表" },
  { value: "table", text: "表格" },
  { value: "code", text: "代码" },
  { value: "picture", text: "图片" },
  { value: "model", text: "可转动的模型" },
  { value: "compare", text: "前后对比" },
  { value: "figure", text: "数字" },
  { value: "action", text: "按钮" },
  { value: "questions", text: "问答" },
  { value: "steps", text: "步骤" },
] as const;

export type Type = (typeof TYPES)[number]["value"];

export const nameOf = (type: string): string => TYPES.find(({ value }) => value === type)?.text ?? type;

/** Steps and answers contain no headings, steps or questions. */
export const INNER = TYPES.filter(({ value }) => !["heading", "questions", "steps"].includes(value));

export function blank(type: Type): BlockJson {
  switch (type) {
    case "heading":
      return { type, level: 2, id: "", text: [] };
    case "text":
      return { type, text: [] };
    case "list":
      return { type, ordered: false, items: [] };
    case "table":
      return { type, head: [], rows: [] };
    case "code":
      return { type, language: "", text: "" };
    case "picture":
      return { type, sample: "", view: "front", alt: "" };
    case "model":
    case "compare":
      return { type, sample: "", note: "" };
    case "figure":
      return { type, value: "", source: "", note: "" };
    case "action":
      return { type, path: "/", label: "" };
    case "questions":
      return { type, items: [{ question: "", blocks: [] }] };
    case "steps":
      return { type, items: [{ title: "", blocks: [] }] };
  }
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const runsOf = (value: unknown) => listOf(value) as readonly Run[];
const linesOf = (text: string) => text.split("\n").filter((line) => line.trim());

export const shownRuns = (value: unknown) => typed(runsOf(value));
export const shownItems = (value: unknown) => listOf(value).map(shownRuns).join("\n");
export const readItems = (text: string) => linesOf(text).map((line) => readTyped(line.trim()));

/** A `|` within a cell is typed `\|`. */
const cells = (row: unknown) => listOf(row).map((cell) => shownRuns(cell).replaceAll("|", "\\|"));
export const shownTable = ({ head, rows }: BlockJson) =>
  [head, ...listOf(rows)].map((row) => cells(row).join(" | ")).join("\n");

export function readTable(text: string): { head: Run[][]; rows: Run[][][] } {
  const [head = [], ...rows] = linesOf(text).map((line) =>
    line.split(/(?<!\\)\|/).map((cell) => readTyped(cell.replaceAll("\\|", "|").trim())),
  );
  // each row has as many cells as the header
  return { head, rows: rows.map((row) => head.map((_, at) => row[at] ?? [])) };
}

export const shownParams = (params: unknown) =>
  Object.entries((params ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(" ");

export function readParams(text: string): Record<string, string> {
  const pairs = text.split(/\s+/).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.flatMap(([name, value]) => (name && value ? [[name, value]] : [])));
}

/** Content of the form, with the blocks. */
export interface Draft {
  title: string;
  summary: string;
  categoryId: string;
  order: number;
  date: string;
  sample: string;
  view: string;
  alt: string;
  related: string;
  blocks: readonly Held[];
}

export const MOST = { title: 32, summary: 120, slug: 64, related: 12 } as const;

const today = () => new Date().toISOString().slice(0, 10);

export const emptyDraft = (): Draft => ({
  title: "",
  summary: "",
  categoryId: "",
  order: 100,
  date: today(),
  sample: "",
  view: "front",
  alt: "",
  related: "",
  blocks: [held(blank("text"))],
});

export function draftOf(draft: ContentArticleDraft): Draft {
  const { cover } = draft;
  const blocks = listOf((draft.content as Record<string, unknown> | null)?.blocks) as readonly BlockJson[];
  return {
    title: draft.title ?? "",
    summary: draft.summary ?? "",
    categoryId: draft.categoryId ?? "",
    order: draft.order ?? 0,
    date: draft.date ?? "",
    sample: cover?.sample ?? "",
    view: cover?.view || "front",
    alt: cover?.alt ?? "",
    related: (draft.related ?? []).join(" "),
    blocks: blocks.map(held),
  };
}

const relatedOf = (text: string) => text.split(/[\s,，]+/).filter(Boolean);

/** Keeps existing anchors; other headings get a unique one. */
function withAnchors(blocks: readonly BlockJson[]): BlockJson[] {
  const taken = new Set(blocks.map(({ id }) => textOf(id)).filter(Boolean));
  let next = 1;
  return blocks.map((block) => {
    if (block.type !== "heading" || textOf(block.id)) return block;
    while (taken.has(`part-${next}`)) next += 1;
    taken.add(`part-${next}`);
    return { ...block, id: `part-${next}` };
  });
}

export function requestOf(draft: Draft): ContentArticleDraft {
  const request = {
    title: draft.title.trim(),
    summary: draft.summary.trim(),
    categoryId: draft.categoryId,
    order: draft.order,
    date: draft.date.trim(),
    related: relatedOf(draft.related),
    content: { version: 1, blocks: withAnchors(draft.blocks.map(({ block }) => block)) },
  };
  const cover = { sample: draft.sample.trim(), view: draft.view.trim(), alt: draft.alt.trim() };
  return cover.sample ? { ...request, cover } : request;
}

/** Problems by field; those of blocks are checked by the service. */
export function problemsOf(draft: Draft): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const length = (text: string) => [...text.trim()].length;
  if (!draft.title.trim()) problems.title = "请填写标题";
  else if (length(draft.title) > MOST.title) problems.title = `标题最多 ${MOST.title} 个字符`;
  if (length(draft.summary) > MOST.summary) problems.summary = `摘要最多 ${MOST.summary} 个字符`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(draft.date.trim())) problems.date = "日期写作 2026-11-20";
  if (!Number.isInteger(draft.order)) problems.order = "排序应为整数";
  if (relatedOf(draft.related).length > MOST.related) problems.related = `最多 ${MOST.related} 篇`;
  if (draft.sample.trim() && !draft.alt.trim()) problems.alt = "请写明封面上是什么";
  if (draft.blocks.length === 0) problems.blocks = "正文还是空的";
  return problems;
}

export const slugProblem = (slug: string): string =>
  /^[a-z0-9-]{1,64}$/.test(slug) ? "" : "用小写字母、数字和短横线，1 到 64 个字符";

/** A block as lines, for the diff. */
function blockLines(block: BlockJson, indent = ""): string[] {
  const line = (text: string) => `${indent}${nameOf(block.type)}：${text}`;
  const parts = (name: string) =>
    listOf(block.items).flatMap((item) => {
      const one = item as Record<string, unknown>;
      const inner = listOf(one.blocks) as readonly BlockJson[];
      return [line(textOf(one[name])), ...inner.flatMap((each) => blockLines(each, `${indent}　`))];
    });
  switch (block.type) {
    case "heading":
    case "text":
      return [line(shownRuns(block.text))];
    case "list":
      return listOf(block.items).map((item) => line(shownRuns(item)));
    case "table":
      return shownTable(block).split("\n").map(line);
    case "code":
      return textOf(block.text).split("\n").map(line);
    case "questions":
      return parts("question");
    case "steps":
      return parts("title");
    default: {
      const { type: _, ...fields } = block;
      return [
        line(
          Object.values(fields)
            .map((value) => textOf(value) || JSON.stringify(value))
            .join("，"),
        ),
      ];
    }
  }
}

/** An article as lines, for the diff. */
export function linesIn(draft: ContentArticleDraft): string[] {
  const { title, summary, date, order, cover, related, content } = draft;
  const blocks = listOf((content as Record<string, unknown> | null)?.blocks) as readonly BlockJson[];
  return [
    `题目：${title}`,
    `摘要：${summary}`,
    `日期：${date}`,
    `排序：${order}`,
    `封面：${cover?.sample ? `${cover.sample}，${cover.view}，${cover.alt}` : "无"}`,
    `相关：${(related ?? []).join("、") || "无"}`,
    ...blocks.flatMap((block) => blockLines(block)),
  ];
}

export interface LineChange {
  kind: "same" | "gone" | "new";
  text: string;
}

/** Removed and added lines in order, based on the longest common subsequence. */
export function compareLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const [n, m] = [before.length, after.length];
  const common = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = n - 1; i >= 0; i -= 1)
    for (let j = m - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const changes: LineChange[] = [];
  for (let i = 0, j = 0; i < n || j < m; ) {
    if (i < n && j < m && before[i] === after[j]) {
      changes.push({ kind: "same", text: after[j] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= m || (i < n && at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ kind: "gone", text: before[i] ?? "" });
      i += 1;
    } else {
      changes.push({ kind: "new", text: after[j] ?? "" });
      j += 1;
    }
  }
  return changes;
}
