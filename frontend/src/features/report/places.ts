import type { ModelPlace } from "@/viewer";

export interface NamedPlace {
  text: string;
  /** undefined if it has no place in a model, such as a clip */
  place: ModelPlace | undefined;
}

/** Forms of the engine's location texts, as written in `check/geometry.rs` and `check/problems.rs`. */
const FORMS: readonly [RegExp, (match: RegExpExecArray) => ModelPlace][] = [
  [/^网格 (.+)（节点 (.+)）$/, ([, mesh, node]) => ({ mesh, node })],
  [/^网格 (.+)$/, ([, mesh]) => ({ mesh })],
  [/^节点 (.+)$/, ([, node]) => ({ node })],
  [/^材质 (.+)$/, ([, material]) => ({ material })],
  [/^第 (\d+) 个网格$/, ([, number]) => ({ meshIndex: Number(number) - 1 })],
];

/** Follows the mesh of which only the part with this material is meant. */
const PART = /的材质 (.+) 部分$/;

/** Separator of places; the lookahead allows for commas in names. */
const BETWEEN = /、(?=网格 |节点 |材质 |第 \d+ 个)/;
const REST = /\s*等 [\d,]+ 处$/;

/** Parses the locations of a problem; duplicates are dropped. */
export function placesOf(where: string): { places: NamedPlace[]; rest: string } {
  const rest = REST.exec(where)?.[0] ?? "";
  const texts = new Set(where.slice(0, where.length - rest.length).split(BETWEEN));
  return { places: [...texts].map((text) => ({ text, place: placeOf(text) })), rest };
}

function placeOf(text: string): ModelPlace | undefined {
  const part = PART.exec(text);
  const whole = text.slice(0, part?.index);
  for (const [form, read] of FORMS) {
    const match = form.exec(whole);
    if (match) return part ? { ...read(match), material: part[1] } : read(match);
  }
  return undefined;
}
