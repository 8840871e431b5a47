import type { TransactionCartItem, TransactionCartList } from "@/calls/transaction";
import type { Answer, HeardCall } from "./server";

/** A model in the cart, with the price when it was added. */
export function cartItem(modelId: string, changes: Partial<TransactionCartItem> = {}): TransactionCartItem {
  const modelPrice = changes.modelPrice ?? 1990;
  return {
    modelId,
    modelName: `模型${modelId}`,
    modelPrice,
    preview: "",
    addedPrice: modelPrice,
    addedAt: 1_790_000_000_000,
    state: "listed",
    owned: false,
    available: true,
    reason: "",
    license: "personal",
    seller: "u9",
    uploaderType: 2,
    formats: ["glb"],
    ...changes,
  };
}

export function cartList(results: TransactionCartItem[]): TransactionCartList {
  const available = results.filter((item) => item.available);
  const total = available.reduce((sum, item) => sum + item.modelPrice, 0);
  return {
    totalCount: results.length,
    results,
    total,
    totalPrice: (total / 100).toFixed(2),
    availableCount: available.length,
  };
}

/** The server's cart: read, filled and emptied. */
export function cartAnswers(held: TransactionCartItem[]): Record<string, (call: HeardCall) => Answer> {
  let items = held;
  return {
    getCartList: () => ({ datas: cartList(items) }),
    delCartModel: ({ form }) => {
      const gone = form.modelId?.split(",") ?? [];
      items = items.filter((item) => !gone.includes(item.modelId));
      return { datas: { totalCount: items.length } };
    },
    add: ({ form }) => {
      items = [cartItem(form.modelId ?? ""), ...items];
      return { datas: { totalCount: items.length } };
    },
  };
}
