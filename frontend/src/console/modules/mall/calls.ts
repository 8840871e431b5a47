import { transactionApi } from "../../api/generated/transaction";

/** The calls about listings and categories, with what makes their caches stale. */
export const mallApi = transactionApi.enhanceEndpoints({
  addTagTypes: ["Listing", "Listings", "Categories", "Modelers", "Reviews"],
  endpoints: {
    transactionListingSearch: { providesTags: ["Listings"] },
    transactionListingShow: { providesTags: ["Listing"] },
    transactionListingClaim: { invalidatesTags: ["Listing", "Listings"] },
    transactionListingDecide: { invalidatesTags: ["Listing", "Listings"] },
    transactionListingTakeDown: { invalidatesTags: ["Listing", "Listings"] },
    transactionListingRestore: { invalidatesTags: ["Listing", "Listings"] },
    transactionListingRemove: { invalidatesTags: ["Listing", "Listings"] },
    transactionModelReviewSearch: { providesTags: ["Reviews"] },
    transactionModelReviewHide: { invalidatesTags: ["Reviews"] },
    transactionModelReviewRestore: { invalidatesTags: ["Reviews"] },
    transactionCategoryList: { providesTags: ["Categories"] },
    transactionCategorySave: { invalidatesTags: ["Categories"] },
    transactionModelerSearch: { providesTags: ["Modelers"] },
    transactionModelerShow: { providesTags: ["Modelers"] },
    transactionModelerDecide: { invalidatesTags: ["Modelers", "Listing", "Listings"] },
    transactionModelerFreeze: { invalidatesTags: ["Modelers", "Listing", "Listings"] },
    transactionModelerUnfreeze: { invalidatesTags: ["Modelers", "Listing", "Listings"] },
  },
});

export const {
  useTransactionListingSearchQuery: useListingSearch,
  useTransactionListingShowQuery: useListingShow,
  useTransactionListingClaimMutation: useClaim,
  useTransactionListingDecideMutation: useDecide,
  useTransactionListingTakeDownMutation: useTakeDown,
  useTransactionListingRestoreMutation: useRestore,
  useTransactionListingRemoveMutation: useRemove,
  useTransactionModelReviewSearchQuery: useReviewSearch,
  useTransactionModelReviewHideMutation: useHideReview,
  useTransactionModelReviewRestoreMutation: useRestoreReview,
  useTransactionCategoryListQuery: useCategories,
  useTransactionCategorySaveMutation: useSaveCategory,
  useTransactionModelerSearchQuery: useModelerSearch,
  useTransactionModelerShowQuery: useModelerShow,
  useTransactionModelerDecideMutation: useDecideModeler,
  useTransactionModelerFreezeMutation: useFreezeModeler,
  useTransactionModelerUnfreezeMutation: useUnfreezeModeler,
} = mallApi;
