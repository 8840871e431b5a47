import { type TransactionMakerListing, transactionApi } from "@/api/generated/transaction";
import type { AppDispatch } from "@/store";

// Not part of ./transaction, which every page loads: only makers' pages use these.
export * from "@/api/generated/transaction";

/** Of saveListing: it was changed elsewhere meanwhile, or is in a state that allows no changes; the form says it. */
export const OVERTAKEN = 60105;

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
    myListings: { providesTags: [ALL_LISTINGS] },
    myListing: {
      providesTags: (_reply, _error, { listingId }) => [{ type: "MyListings", id: listingId }],
    },
    saveListing: { extraOptions: { ownCodes: [OVERTAKEN] }, onQueryStarted: answered },
    takeBack: { onQueryStarted: answered },
    // drafts come, are deleted and become versions
    fileUses: { providesTags: [ALL_LISTINGS] },
    listingCounts: { providesTags: [ALL_LISTINGS] },
    // Not the deleted one: its page may still be open, and would request it in vain.
    deleteListing: { invalidatesTags: [ALL_LISTINGS] },
  },
});
