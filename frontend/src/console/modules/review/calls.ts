import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** The calls about suspect pictures and texts, with what makes their caches stale. */
export const reviewApi = personalApi.enhanceEndpoints({
  addTagTypes: ["ReviewCase", "ReviewCases"],
  endpoints: {
    personalReviewList: { providesTags: ["ReviewCases"] },
    // a look stands in the log: a claim alone is no cause for another one
    personalReviewShow: { providesTags: ["ReviewCase"] },
    personalReviewClaim: { invalidatesTags: ["ReviewCases"] },
    personalReviewDecide: { invalidatesTags: ["ReviewCase", "ReviewCases"] },
  },
});

export const {
  usePersonalReviewListQuery: useCases,
  usePersonalReviewShowQuery: useCase,
  usePersonalReviewClaimMutation: useClaim,
  usePersonalReviewDecideMutation: useDecide,
} = reviewApi;

/** A part of a case's picture: a look that stands in the log. */
export const readPicture = (id: string) => (offset: number) =>
  runQuery(
    reviewApi.endpoints.personalReviewPicture.initiate(
      { id, offset },
      { forceRefetch: true, subscribe: false },
    ),
  );
