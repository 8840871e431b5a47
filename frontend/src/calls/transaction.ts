import {
  type TransactionCartItem,
  type TransactionCartList,
  transactionApi,
} from "@/api/generated/transaction";

export type * from "@/api/generated/transaction";

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

const background = { extraOptions: { background: true } };

/** The lists of one's listings and their numbers; `MyListings` without an id is these and each single one. */
const ALL_LISTINGS = { type: "MyListings", id: "LIST" } as const;

/** The mall: the calls with their tags, and which of them load in the background. */
const api = transactionApi.enhanceEndpoints({
  addTagTypes: ["Cart", "Favourites", "Modeler", "Models", "MyListings", "Reviews"],
  endpoints: {
    transactionGetCartList: { providesTags: ["Cart"], ...background },
    transactionAddToCart: { invalidatesTags: ["Cart"] },
    transactionDelCartModel: {
      invalidatesTags: ["Cart"],
      // What the answer tells is shown with it; what the mall says of the rest comes a moment later.
      onQueryStarted: async ({ modelId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (!answer) return;
        const gone = new Set(modelId?.split(","));
        dispatch(
          transactionApi.util.updateQueryData("transactionGetCartList", CART_PAGE, (cart) => {
            const rest = cart.results.filter((item) => !gone.has(item.modelId));
            return cartOf(rest, answer.data.totalCount);
          }),
        );
      },
    },
    transactionCheckTheDayOfFreeModelCount: { providesTags: ["Models"], ...background },
    transactionGetAFreeModel: { invalidatesTags: ["Cart", "Models"] },
    transactionMyModels: { providesTags: ["Models"], ...background },
    transactionDownloadModel: { invalidatesTags: ["Models"] },
    transactionMyListings: { providesTags: [ALL_LISTINGS] },
    transactionMyListing: {
      providesTags: (_reply, _error, { listingId }) => [{ type: "MyListings", id: listingId }],
    },
    transactionListingCounts: { providesTags: [ALL_LISTINGS] },
    transactionFavouriteFolders: { providesTags: ["Favourites"] },
    transactionFavouriteList: { providesTags: ["Favourites"] },
    transactionFavouriteMarks: { providesTags: ["Favourites"], ...background },
    transactionAddFavourite: { invalidatesTags: ["Favourites"] },
    transactionRemoveFavourites: { invalidatesTags: ["Favourites"] },
    transactionMoveFavourites: { invalidatesTags: ["Favourites"] },
    transactionSaveFavouriteFolder: { invalidatesTags: ["Favourites"] },
    transactionDeleteFavouriteFolder: { invalidatesTags: ["Favourites"] },
    transactionModelReviews: { providesTags: ["Reviews"], ...background },
    transactionMyModelReview: { providesTags: ["Reviews"], ...background },
    transactionSaveModelReview: { invalidatesTags: ["Reviews"] },
    transactionAnswerModelReview: { invalidatesTags: ["Reviews"] },
    transactionSaveListing: { invalidatesTags: ["MyListings"] },
    transactionSaveListings: { invalidatesTags: ["MyListings"] },
    transactionSubmitListings: { invalidatesTags: ["MyListings"] },
    transactionWithdrawListings: { invalidatesTags: ["MyListings"] },
    transactionRelistListings: { invalidatesTags: ["MyListings"] },
    transactionAddVersion: { invalidatesTags: ["MyListings"] },
    // Not the one that is gone: its page may still be open, and would ask for it in vain.
    transactionDeleteListing: { invalidatesTags: [ALL_LISTINGS] },
    transactionIsFreeze: { providesTags: ["Modeler"], ...background },
    transactionModelerInfo: { providesTags: ["Modeler"], ...background },
    transactionApplyModeler: { invalidatesTags: ["Modeler"] },
    transactionModelerRecords: background,
    transactionModelerOrders: background,
    transactionSaveModelerPage: { invalidatesTags: ["Modeler"] },
    transactionModelList: background,
    transactionLabelCate: background,
    transactionNewQuantities: background,
    transactionSuggest: background,
    transactionModelDetail: background,
    transactionSimilarModels: background,
    transactionAuthorDetail: { providesTags: ["Modeler"], ...background },
  },
});

export const {
  useTransactionAddToCartMutation,
  useTransactionAnswerModelReviewMutation,
  useTransactionModelReviewsQuery,
  useTransactionMyModelReviewQuery,
  useTransactionSaveModelReviewMutation,
  useTransactionAddFavouriteMutation,
  useTransactionDeleteFavouriteFolderMutation,
  useTransactionFavouriteFoldersQuery,
  useTransactionFavouriteListQuery,
  useTransactionFavouriteMarksQuery,
  useTransactionMoveFavouritesMutation,
  useTransactionRemoveFavouritesMutation,
  useTransactionSaveFavouriteFolderMutation,
  useTransactionAddVersionMutation,
  useTransactionApplyModelerMutation,
  useTransactionAuthorDetailQuery,
  useTransactionDelCartModelMutation,
  useTransactionDeleteListingMutation,
  useTransactionCheckTheDayOfFreeModelCountQuery,
  useTransactionDownloadModelMutation,
  useTransactionGetAFreeModelMutation,
  useTransactionGetCartListQuery,
  useTransactionIsFreezeQuery,
  useTransactionLabelCateQuery,
  useTransactionListingCountsQuery,
  useTransactionModelDetailQuery,
  useTransactionModelListQuery,
  useTransactionModelerInfoQuery,
  useTransactionModelerOrdersQuery,
  useTransactionModelerRecordsQuery,
  useTransactionMyListingQuery,
  useTransactionMyModelsQuery,
  useTransactionMyListingsQuery,
  useTransactionNewQuantitiesQuery,
  useTransactionRelistListingsMutation,
  useTransactionSaveListingMutation,
  useTransactionSaveListingsMutation,
  useTransactionSaveModelerPageMutation,
  useTransactionSimilarModelsQuery,
  useTransactionSubmitListingsMutation,
  useTransactionSuggestQuery,
  useTransactionWithdrawListingsMutation,
} = api;

/** For calls outside components. */
export const transactionEndpoints = api.endpoints;
export const invalidateListings = api.util.invalidateTags;
