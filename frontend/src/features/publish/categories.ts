import { type TransactionMallCategory, useTransactionLabelCateQuery } from "@/calls/transaction";

export interface CategoryChoice {
  id: string;
  /** With its parent: 机械零件 / 齿轮与传动. */
  name: string;
  top: string;
}

/** The tree as a flat list; of a category with children only the children can be chosen. */
export function choicesOf(tree: readonly TransactionMallCategory[]): readonly CategoryChoice[] {
  return tree.flatMap((top) =>
    top.children.length === 0
      ? [{ id: top.id, name: top.name, top: top.name }]
      : top.children.map(({ id, name }) => ({ id, name: `${top.name} / ${name}`, top: top.name })),
  );
}

/** How well a category answers to what is typed: equal to a name, beginning with it, having it; below zero: not at all. */
function rank({ name, top }: CategoryChoice, typed: string): number {
  const names = [name.split(" / ").at(-1) ?? name, top, name].map((one) => one.toLowerCase());
  if (names.includes(typed)) return 0;
  if (names.some((one) => one.startsWith(typed))) return 1;
  return names.some((one) => one.includes(typed)) ? 2 : -1;
}

/** Those that have what is typed, the best first; what is below one category stays together. */
export function matching(choices: readonly CategoryChoice[], typed: string): CategoryChoice[] {
  const text = typed.trim().toLowerCase();
  const found = choices
    .map((choice) => ({ choice, rank: rank(choice, text) }))
    .filter((one) => one.rank >= 0);
  if (text === "") return found.map(({ choice }) => choice);
  const best = new Map<string, number>();
  for (const { choice, rank } of found) best.set(choice.top, Math.min(rank, best.get(choice.top) ?? rank));
  const tops = [...best.keys()].sort((a, b) => (best.get(a) ?? 0) - (best.get(b) ?? 0));
  return tops.flatMap((top) =>
    found
      .filter(({ choice }) => choice.top === top)
      .sort((a, b) => a.rank - b.rank)
      .map(({ choice }) => choice),
  );
}

export function useCategories() {
  const query = useTransactionLabelCateQuery({});
  const choices = choicesOf(query.data ?? []);
  return {
    choices,
    loading: query.isLoading,
    failed: query.isError,
    retry: () => void query.refetch(),
    nameOf: (id: string): string =>
      choices.find((one) => one.id === id)?.name ?? (id === "" ? "未选择" : "—"),
  };
}
