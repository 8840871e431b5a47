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
