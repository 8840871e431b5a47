import type { ModelPlace } from "@/viewer";

export interface NamedPlace {
  text: string;
  /** undefined for what a model has no place for, such as a clip */
  place: ModelPlace | undefined;
}

/** The engine's words for a place, as `check/geometry.rs` and `check/problems.rs` write them. */
const FORMS: readonly [RegExp, (match: RegExpExecArray) => ModelPlace][] = [
  [/^网格 (.+)（节点 (.+)）$/, ([, mesh, node]) => ({ mesh, node })],
  [/^网格 (.+)$/, ([, mesh]) => ({ mesh })],
  [/^节点 (.+)$/, ([, node]) => ({ node })],
  [/^材质 (.+)$/, ([, material]) => ({ material })],
  [/^第 (\d+) 个网格$/, ([, number]) => ({ meshIndex: Number(number) - 1 })],
];

/** Where one place ends and the next begins: a name may contain the comma itself. */
const BETWEEN = /、(?=网格 |节点 |材质 |第 \d+ 个)/;
const REST = /\s*等 [\d,]+ 处$/;

/** Takes the text of a problem's places apart; each is named once. */
export function placesOf(where: string): { places: NamedPlace[]; rest: string } {
  const rest = REST.exec(where)?.[0] ?? "";
  const texts = new Set(where.slice(0, where.length - rest.length).split(BETWEEN));
  return { places: [...texts].map((text) => ({ text, place: placeOf(text) })), rest };
}

function placeOf(text: string): ModelPlace | undefined {
  for (const [form, read] of FORMS) {
    const match = form.exec(text);
    if (match) return read(match);
  }
  return undefined;
}
