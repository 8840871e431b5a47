import type { ContentContentArticle, ContentContentCard, ContentContentCategory } from "@/calls/content";
import type { Answer, HeardCall } from "./server";

export const category = (changes: Partial<ContentContentCategory> = {}): ContentContentCategory => ({
  id: "9001",
  kind: "help",
  slug: "start",
  parentId: "",
  title: "新手上路",
  summary: "从注册到第一份报告",
  order: 10,
  articles: 1,
  ...changes,
});

export const card = (changes: Partial<ContentContentCard> = {}): ContentContentCard => ({
  id: "1001",
  kind: "help",
  slug: "upload",
  categoryId: "9001",
  categorySlug: "start",
  categoryTitle: "新手上路",
  title: "上传第一个模型",
  summary: "从选择文件到看见体检报告，一步步来。",
  date: "2026-11-20",
  publishedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  cover: { sample: "lens-cube", view: "front", alt: "镜方，正面" },
  path: "/helpCenter?id=1001",
  order: 10,
  steps: 0,
  ...changes,
});

export const article = (
  blocks: readonly unknown[],
  changes: Partial<ContentContentArticle> = {},
): ContentContentArticle => ({
  card: card(),
  content: { version: 1, blocks },
  related: [],
  previous: null as never,
  next: null as never,
  categories: [category()],
  movedTo: "",
  revision: 1,
  preview: false,
  ...changes,
});

/** Answers of the mall and of articles, whose calls have the same last part; the mall is empty. */
export function contentAnswers(answers: Record<string, Answer | ((call: HeardCall) => Answer)>) {
  const empty: Answer = { datas: { totalCount: 0, results: [], facets: [], corrected: "" } };
  const of = (name: string, otherwise: Answer) => (call: HeardCall) => {
    const planned = call.path.includes("/content/") ? answers[name] : otherwise;
    return typeof planned === "function" ? planned(call) : (planned ?? empty);
  };
  return {
    ...answers,
    list: of("list", empty),
    detail: of("detail", { code: 60300, message: "没有这个模型" }),
  };
}

export const listOf = (...results: ContentContentCard[]): Answer => ({
  datas: { totalCount: results.length, results },
});
