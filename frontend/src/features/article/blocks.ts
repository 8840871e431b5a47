/**
 * The blocks of an article as the content service sends them (services/content/blocks.schema.json), parsed leniently: unknown
 * blocks (of a later version) and invalid parts are skipped. Nothing is HTML.
 */

/** An inline run; a link leads into the site or to an https address. */
export interface Inline {
  text: string;
  bold?: boolean;
  code?: boolean;
  href?: string;
}

/** A generated model of the product: which sample, view and parameters. */
export interface Recipe {
  sample: string;
  view: string;
  params: Readonly<Record<string, string>>;
}

export interface Question {
  question: string;
  blocks: readonly Block[];
}

export interface Step {
  title: string;
  blocks: readonly Block[];
}

export type Block =
  | { type: "heading"; level: 2 | 3; id: string; text: readonly Inline[] }
  | { type: "text"; text: readonly Inline[] }
  | { type: "list"; ordered: boolean; items: readonly (readonly Inline[])[] }
  | { type: "table"; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { type: "code"; language: string; text: string }
  | { type: "picture"; recipe: Recipe; alt: string }
  | { type: "model"; recipe: Recipe; note: string }
  | { type: "compare"; recipe: Recipe; note: string }
  | { type: "action"; path: string; label: string }
  | { type: "figure"; value: string; source: string; note: string }
  | { type: "questions"; items: readonly Question[] }
  | { type: "steps"; items: readonly Step[] };

type Json = Readonly<Record<string, unknown>>;

/** Maximum nesting: blocks within questions and steps. */
const DEEPEST = 3;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a link only if it is safe: a path of this site, an anchor of the page, or https. */
export function linkOf(value: unknown): string | undefined {
  const href = textOf(value).trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, "/\t/evil" would leave the site
  if (/[\u0000-\u0020\\]/.test(href)) return undefined;
  if (href.startsWith("#")) return href.length > 1 ? href : undefined;
  if (href.startsWith("/")) return href.startsWith("//") ? undefined : href;
  return /^https:\/\/[^/]/i.test(href) ? href : undefined;
}

function readInline(value: unknown): Inline[] {
  if (typeof value === "string") return value ? [{ text: value }] : [];
  return listOf(value).flatMap((run): Inline[] => {
    if (typeof run === "string") return run ? [{ text: run }] : [];
    if (!isRecord(run) || !textOf(run.text)) return [];
    return [
      {
        text: textOf(run.text),
        ...(run.bold === true && { bold: true }),
        ...(run.code === true && { code: true }),
        ...(linkOf(run.href) && { href: linkOf(run.href) }),
      },
    ];
  });
}

const readLines = (value: unknown) => listOf(value).map(readInline);

function readRecipe(block: Json): Recipe | undefined {
  const sample = textOf(block.sample);
  if (!/^[a-z0-9-]{1,40}$/.test(sample)) return undefined;
  const params = isRecord(block.params) ? Object.entries(block.params) : [];
  return {
    sample,
    view: textOf(block.view) || "front",
    params: Object.fromEntries(params.map(([key, value]) => [key, textOf(value)])),
  };
}

const readers: Record<Block["type"], (block: Json, depth: number) => Block | undefined> = {
  heading: (block) => {
    const text = readInline(block.text);
    const id = textOf(block.id);
    return text.length ? { type: "heading", level: block.level === 3 ? 3 : 2, id, text } : undefined;
  },
  text: (block) => {
    const text = readInline(block.text);
    return text.length ? { type: "text", text } : undefined;
  },
  list: (block) => {
    const items = readLines(block.items).filter((item) => item.length);
    return items.length ? { type: "list", ordered: block.ordered === true, items } : undefined;
  },
  table: (block) => {
    const head = readLines(block.head);
    const rows = listOf(block.rows).map(readLines);
    return head.length ? { type: "table", head, rows } : undefined;
  },
  code: (block) =>
    textOf(block.text)
      ? { type: "code", language: textOf(block.language), text: textOf(block.text) }
      : undefined,
  picture: (block) => {
    const recipe = readRecipe(block);
    return recipe && { type: "picture", recipe, alt: textOf(block.alt) };
  },
  model: (block) => {
    const recipe = readRecipe(block);
    return recipe && { type: "model", recipe, note: textOf(block.note) };
  },
  compare: (block) => {
    const recipe = readRecipe(block);
    return recipe && { type: "compare", recipe, note: textOf(block.note) };
  },
  action: (block) => {
    const path = linkOf(block.path);
    const label = textOf(block.label);
    return path && label ? { type: "action", path, label } : undefined;
  },
  figure: (block) => {
    const value = textOf(block.value);
    return value
      ? { type: "figure", value, source: textOf(block.source), note: textOf(block.note) }
      : undefined;
  },
  questions: (block, depth) => {
    const items = listOf(block.items).flatMap((item): Question[] => {
      if (!isRecord(item)) return [];
      const question = textOf(item.question);
      return question ? [{ question, blocks: readList(item.blocks, depth + 1) }] : [];
    });
    return items.length ? { type: "questions", items } : undefined;
  },
  steps: (block, depth) => {
    const items = listOf(block.items).flatMap((item): Step[] => {
      if (!isRecord(item)) return [];
      const title = textOf(item.title);
      return title ? [{ title, blocks: readList(item.blocks, depth + 1) }] : [];
    });
    return items.length ? { type: "steps", items } : undefined;
  },
};

function readList(value: unknown, depth: number): Block[] {
  if (depth > DEEPEST) return [];
  return listOf(value).flatMap((block): Block[] => {
    if (!isRecord(block)) return [];
    const type = textOf(block.type);
    const read = Object.hasOwn(readers, type) ? readers[type as Block["type"]](block, depth) : undefined;
    return read ? [read] : [];
  });
}

/** Parses an article's blocks; empty if the content is unreadable. */
export const readBlocks = (content: unknown): Block[] =>
  isRecord(content) ? withAnchors(readList(content.blocks, 0)) : [];

/** Gives every heading a unique anchor. */
function withAnchors(blocks: readonly Block[]): Block[] {
  const taken = new Set<string>();
  return blocks.map((block, at) => {
    if (block.type !== "heading") return block;
    const id = block.id && !taken.has(block.id) ? block.id : `part-${at + 1}`;
    taken.add(id);
    return { ...block, id };
  });
}

/** The plain text. */
export const plain = (text: readonly Inline[]) => text.map((run) => run.text).join("");

/** Keys by index, for lists whose order never changes. */
export const keyed = <T>(items: readonly T[]) => items.map((item, at) => ({ key: `${at}`, item }));

export interface Heading {
  id: string;
  level: 2 | 3;
  text: string;
}

/** Headings in order, for the table of contents. */
export const headingsOf = (blocks: readonly Block[]): Heading[] =>
  blocks.flatMap((block) =>
    block.type === "heading" ? [{ id: block.id, level: block.level, text: plain(block.text) }] : [],
  );
