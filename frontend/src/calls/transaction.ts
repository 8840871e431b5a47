import {
  type TransactionCartItem,
  type TransactionCartList,
  type TransactionMakerListing,
  transactionApi,
} from "@/api/generated/transaction";
import type { AppDispatch } from "@/store";

export * from "@/api/generated/transaction";

/** Of modelDetail: there is no such model, or its maker or an operator has taken it off; the page says it. */
export const NOT_IN_MALL = 60104;

/** Of saveListing: it was changed elsewhere meanwhile, or is in a state that allows no changes; the form says it. */
export const OVERTAKEN = 60105;

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

/** The lists of the user's listings and their counts; `MyListings` without an id invalidates these and each single listing. */
const ALL_LISTINGS = { type: "MyListings", id: "LIST" } as const;

/** A listing's page shows the answer at once; it is read anew only a moment later. */
async function answered(
  { userId, listingId }: { userId?: string; listingId?: string },
  {
    dispatch,
    queryFulfilled,
  }: { dispatch: AppDispatch; queryFulfilled: Promise<{ data: TransactionMakerListing }> },
): Promise<void> {
  const answer = await queryFulfilled.catch(() => undefined);
  if (answer)
    dispatch(transactionApi.util.updateQueryData("myListing", { userId, listingId }, () => answer.data));
}

transactionApi.enhanceEndpoints({
  endpoints: {
    modelDetail: { extraOptions: { ownCodes: [NOT_IN_MALL] } },
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
    myListings: { providesTags: [ALL_LISTINGS] },
    myListing: {
      providesTags: (_reply, _error, { listingId }) => [{ type: "MyListings", id: listingId }],
    },
    saveListing: { extraOptions: { ownCodes: [OVERTAKEN] }, onQueryStarted: answered },
    takeBack: { onQueryStarted: answered },
    listingCounts: { providesTags: [ALL_LISTINGS] },
    // Not the deleted one: its page may still be open, and would request it in vain.
    deleteListing: { invalidatesTags: [ALL_LISTINGS] },
  },
});

/** For calls outside components. */
export const transactionEndpoints = transactionApi.endpoints;
export const invalidateListings = transactionApi.util.invalidateTags;
