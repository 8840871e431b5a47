import {
  type TransactionCartItem,
  type TransactionCartList,
  transactionApi,
} from "@/api/generated/transaction";

export * from "@/api/generated/transaction";

/**
 * Of modelDetail: there is no such model, or its maker or an operator has taken it off; of authorDetail: there is no such author, or
 * the account is frozen. The page says it.
 */
export const NOT_IN_MALL = 60104;

/** The whole cart in one page, as the specification requires. */
export const CART_PAGE = { pageNo: 1, pageSize: 200 } as const;

/** The cart without some of its models: counted and summed like the server does. */
function cartOf(results: TransactionCartItem[], totalCount: number): TransactionCartList {
  const available = results.filter((item) => item.available);
  const total = available.reduce((sum, item) => sum + item.modelPrice, 0);
  return {
    totalCount,
    results,
    total,
    totalPrice: (total / 100).toFixed(2),
    availableCount: available.length,
  };
}

transactionApi.enhanceEndpoints({
  endpoints: {
    modelDetail: { extraOptions: { ownCodes: [NOT_IN_MALL] } },
    authorDetail: { extraOptions: { ownCodes: [NOT_IN_MALL] } },
    delCartModel: {
      // The result of the call shows at once; the mall's data on the remaining models arrives a moment later.
      onQueryStarted: async ({ modelId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (!answer) return;
        const gone = new Set(modelId?.split(","));
        dispatch(
          transactionApi.util.updateQueryData("getCartList", CART_PAGE, (cart) => {
            const rest = cart.results.filter((item) => !gone.has(item.modelId));
            return cartOf(rest, answer.data.totalCount);
          }),
        );
      },
    },
  },
});

/** For calls outside components. */
export const transactionEndpoints = transactionApi.endpoints;
export const invalidateListings = transactionApi.util.invalidateTags;
