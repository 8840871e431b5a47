import type { PersonalWordForm, PersonalWordHit } from "../../api/generated/personal";
import type { Word } from "../../kit/choices";

export const ACTIONS = [
  { value: "refuse", text: "拒绝", tone: "danger" },
  { value: "review", text: "转人工审核", tone: "warning" },
  { value: "replace", text: "替换", tone: "info" },
] as const satisfies readonly Word[];

export type Action = (typeof ACTIONS)[number]["value"];

export const VERDICTS: readonly Word[] = [
  { value: "refused", text: "拒绝发布", tone: "danger" },
  { value: "review", text: "可以发布，转人工审核", tone: "warning" },
  { value: "passed", text: "通过", tone: "success" },
];

export const MOST_IMPORTED = 1_000;
export const MOST_OF_WORD = 64;
export const MOST_OF_NOTE = 200;
export const MOST_TESTED = 20_000;

export const readAction = (name: string): Action | undefined =>
  ACTIONS.find(({ value, text }) => value === name || text === name)?.value;

/** Why a word cannot be listed; the service checks the same. */
export function wordProblem(word: string): string {
  const text = word.trim();
  if (!text) return "请填写词语";
  if ([...text].length > MOST_OF_WORD) return `词语最多 ${MOST_OF_WORD} 个字符`;
  return /[\p{L}\p{N}]/u.test(text) ? "" : "词语至少包含一个文字或数字";
}

export interface Import {
  words: PersonalWordForm[];
  /** Problems with their line numbers. */
  problems: string[];
}

/** Lines of `词语,处理,替换为,备注`, separated by commas or tabs; only the word is required. */
export function readWords(text: string, action: Action): Import {
  const words: PersonalWordForm[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .forEach((line, index) => {
      if (!line.trim()) return;
      const [word = "", wanted = "", replacement = "", note = ""] = line
        .split(/[,，\t]/)
        .map((cell) => cell.trim());
      const chosen = wanted ? readAction(wanted) : action;
      const problem =
        wordProblem(word) ||
        (!chosen && `不认识的处理方式“${wanted}”`) ||
        ([...replacement].length > MOST_OF_WORD && `替换为最多 ${MOST_OF_WORD} 个字符`) ||
        ([...note].length > MOST_OF_NOTE && `备注最多 ${MOST_OF_NOTE} 个字符`) ||
        (seen.has(word) && `“${word}”重复`);
      seen.add(word);
      if (problem || !chosen) problems.push(`第 ${index + 1} 行：${problem}`);
      else words.push({ word, action: chosen, replacement: chosen === "replace" ? replacement : "", note });
    });
  if (words.length > MOST_IMPORTED) problems.push(`一次最多导入 ${MOST_IMPORTED} 个词语`);
  return { words, problems };
}

export interface Piece {
  at: number;
  text: string;
  hit?: PersonalWordHit;
}

/** Splits a text at its hits; a hit that overlaps the previous one is skipped. */
export function pieces(text: string, hits: readonly PersonalWordHit[]): Piece[] {
  const signs = [...text];
  const cut: Piece[] = [];
  let at = 0;
  const plain = (end: number) => {
    if (end > at) cut.push({ at, text: signs.slice(at, end).join("") });
  };
  for (const hit of [...hits].sort((a, b) => a.position - b.position)) {
    if (hit.position < at) continue;
    plain(hit.position);
    cut.push({ at: hit.position, text: signs.slice(hit.position, hit.position + hit.length).join(""), hit });
    at = hit.position + hit.length;
  }
  plain(signs.length);
  return cut;
}
