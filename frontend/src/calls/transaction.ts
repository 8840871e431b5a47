import {
  type TransactionCartItem,
  type TransactionCartList,
  transactionApi,
} from "@/api/generated/transaction";

export * from "@/api/generated/transaction";

/** The whole cart in one page, as the specification has it. */
export const CART_PAGE = { pageNo: 1, pageSize: 200 } as const;

/** The whole cart without some of its models: counted and summed as the server does. */
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

/** The lists of one's listings and their numbers; `MyListings` without an id is these and each single one. */
const ALL_LISTINGS = { type: "MyListings", id: "LIST" } as const;

transactionApi.enhanceEndpoints({
  endpoints: {
    delCartModel: {
      // What the answer tells is shown with it; what the mall says of the rest comes a moment later.
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
    myListings: { providesTags: [ALL_LISTINGS] },
    myListing: {
      providesTags: (_reply, _error, { listingId }) => [{ type: "MyListings", id: listingId }],
    },
    listingCounts: { providesTags: [ALL_LISTINGS] },
    // Not the one that is gone: its page may still be open, and would ask for it in vain.
    deleteListing: { invalidatesTags: [ALL_LISTINGS] },
  },
});

/** For calls outside components. */
export const transactionEndpoints = transactionApi.endpoints;
export const invalidateListings = transactionApi.util.invalidateTags;
