import { type WorksWorkCard, type WorksWorkMarks, worksApi } from "@/api/generated/works";
import type { AppThunk } from "@/store";

export type * from "@/api/generated/works";

const background = { extraOptions: { background: true } };

/** Whatever shows cards of works: what somebody does to one is shown wherever it stands, without asking anew. */
const CARDS = "WorkCards";
/** The lists of one's works; `MyWorks` without an id is these and each single one. */
const ALL_MINE = { type: "MyWorks", id: "LIST" } as const;

/** Works on show: the calls with their tags, and which of them load in the background. */
const api = worksApi.enhanceEndpoints({
  addTagTypes: [CARDS, "Collection", "MyWorks", "Shares", "WorkComments"],
  endpoints: {
    worksLabelCate: background,
    worksCaseIndustry: background,
    worksWorkList: { providesTags: [CARDS], ...background },
    worksWorkDetail: { providesTags: [CARDS], ...background },
    worksDetailPageRecommend: { providesTags: [CARDS], ...background },
    worksOtherWorks: { providesTags: [CARDS], ...background },
    worksHomepageRecommend: { providesTags: [CARDS], ...background },
    worksMyCollection: { providesTags: [CARDS, "Collection"] },
    worksLikeWork: {
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    worksCollectWork: {
      invalidatesTags: ["Collection"],
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    worksCountView: {
      // Nobody is told that a look was not counted.
      extraOptions: { silent: true },
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    worksCommentList: { providesTags: ["WorkComments"], ...background },
    worksMyComments: { providesTags: ["WorkComments"] },
    worksReceivedComments: { providesTags: ["WorkComments"] },
    worksAddComment: { invalidatesTags: ["WorkComments"] },
    worksEditComment: { invalidatesTags: ["WorkComments"] },
    worksDeleteComment: { invalidatesTags: ["WorkComments"] },
    worksMyShares: { providesTags: ["Shares"] },
    worksCreateShare: { invalidatesTags: ["Shares"] },
    worksChangeShare: { invalidatesTags: ["Shares"] },
    worksRevokeShare: { invalidatesTags: ["Shares"] },
    worksMyWorks: { providesTags: [ALL_MINE] },
    worksMyWorkDetail: { providesTags: (_reply, _error, { worksId }) => [{ type: "MyWorks", id: worksId }] },
    worksCreateWork: { invalidatesTags: [ALL_MINE] },
    worksSaveWork: { invalidatesTags: ["MyWorks", CARDS] },
    worksSubmitWork: { invalidatesTags: ["MyWorks"] },
    worksWithdrawWork: { invalidatesTags: ["MyWorks", CARDS] },
    worksRelistWork: { invalidatesTags: ["MyWorks", CARDS] },
    worksReplaceWorkModel: { invalidatesTags: ["MyWorks"] },
    // Not the one that is gone: its page may still be open, and would ask for it in vain.
    worksDeleteWork: { invalidatesTags: [ALL_MINE] },
  },
});

type Known = Partial<Pick<WorksWorkCard, keyof WorksWorkMarks & keyof WorksWorkCard>> &
  Partial<Pick<WorksWorkCard, "browsenumber" | "browseNumber">>;

type Shown =
  | WorksWorkCard[]
  | { card: WorksWorkCard }
  | { results: (WorksWorkCard | { card: WorksWorkCard })[] };

function cardsOf(shown: Shown): WorksWorkCard[] {
  const rows = Array.isArray(shown) ? shown : "results" in shown ? shown.results : [shown];
  return rows.map((row) => ("card" in row ? row.card : row));
}

/** What the server says of a work after one has liked, collected or looked at it, in everything that shows it. */
function marksKnown(worksId: string | undefined, known: Known): AppThunk {
  return (dispatch, getState) => {
    for (const { endpointName, originalArgs } of api.util.selectInvalidatedBy(getState(), [CARDS])) {
      const change = (shown: object) => {
        for (const card of cardsOf(shown as Shown)) if (card.id === worksId) Object.assign(card, known);
      };
      dispatch(api.util.updateQueryData(endpointName as "worksWorkList", originalArgs, change));
    }
  };
}

export const {
  useWorksAddCommentMutation,
  useWorksCaseIndustryQuery,
  useWorksChangeShareMutation,
  useWorksCollectWorkMutation,
  useWorksCommentListQuery,
  useWorksCountViewMutation,
  useWorksCreateShareMutation,
  useWorksCreateWorkMutation,
  useWorksDeleteCommentMutation,
  useWorksDeleteWorkMutation,
  useWorksDetailPageRecommendQuery,
  useWorksEditCommentMutation,
  useWorksHomepageRecommendQuery,
  useWorksLabelCateQuery,
  useWorksLikeWorkMutation,
  useWorksMyCollectionQuery,
  useWorksMyCommentsQuery,
  useWorksMySharesQuery,
  useWorksMyWorkDetailQuery,
  useWorksMyWorksQuery,
  useWorksOtherWorksQuery,
  useWorksReceivedCommentsQuery,
  useWorksPreviewShareMutation,
  useWorksRelistWorkMutation,
  useWorksReplaceWorkModelMutation,
  useWorksReportCommentMutation,
  useWorksReportWorkMutation,
  useWorksRevokeShareMutation,
  useWorksSaveWorkMutation,
  useWorksShareLooksQuery,
  useWorksSubmitWorkMutation,
  useWorksWithdrawWorkMutation,
  useWorksWorkDetailQuery,
  useWorksWorkListQuery,
} = api;
