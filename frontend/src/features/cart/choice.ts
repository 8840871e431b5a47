import type { TransactionCartItem, TransactionCartList } from "@/calls/transaction";

/** What can be ordered: what has become free is taken on its own page, within the day's number. */
export const isOrdered = (item: TransactionCartItem): boolean => item.available && item.modelPrice > 0;

export interface Chosen {
  items: TransactionCartItem[];
  /** Cents. */
  total: number;
}

/**
 * What would be ordered now. Of the whole cart the server has said the sum.
 *
 * @param left models that have been unticked
 */
export function chosenOf(cart: TransactionCartList, left: ReadonlySet<string>): Chosen {
  const all = cart.results.filter(isOrdered);
  const items = all.filter((item) => !left.has(item.modelId));
  const whole = items.length === all.length && cart.results.length === cart.totalCount;
  const total = whole ? cart.total : items.reduce((sum, item) => sum + item.modelPrice, 0);
  return { items, total };
}
