import type { TransactionCartItem, TransactionCartList } from "@/calls/transaction";

/** Can be ordered. A model that became free is claimed on its own page, which counts towards the daily quota. */
export const isOrdered = (item: TransactionCartItem): boolean => item.available && item.modelPrice > 0;

export interface Chosen {
  items: TransactionCartItem[];
  /** Cents. */
  total: number;
}

/**
 * The current order. For the whole cart the server's total is used.
 *
 * @param left unticked models
 */
export function chosenOf(cart: TransactionCartList, left: ReadonlySet<string>): Chosen {
  const all = cart.results.filter(isOrdered);
  const items = all.filter((item) => !left.has(item.modelId));
  const whole = items.length === all.length && cart.results.length === cart.totalCount;
  const total = whole ? cart.total : items.reduce((sum, item) => sum + item.modelPrice, 0);
  return { items, total };
}
