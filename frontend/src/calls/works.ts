import { type WorksWorkCard, type WorksWorkMarks, worksApi } from "@/api/generated/works";
import type { AppThunk } from "@/store";

export * from "@/api/generated/works";

/** Everything that shows cards of works: a change of one updates all its cards without a new request. */
const CARDS = "WorkCards";
/** The lists of the user's works; `MyWorks` without an id invalidates these and each single work. */
const ALL_MINE = { type: "MyWorks", id: "LIST" } as const;

worksApi.enhanceEndpoints({
  endpoints: {
    likeWork: {
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    collectWork: {
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    countView: {
      // A view that was not counted is not reported to the user.
      extraOptions: { silent: true },
      onQueryStarted: async ({ worksId }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(marksKnown(worksId, answer.data));
      },
    },
    myWorks: { providesTags: [ALL_MINE] },
    myWorkDetail: { providesTags: (_reply, _error, { worksId }) => [{ type: "MyWorks", id: worksId }] },
    createWork: { invalidatesTags: [ALL_MINE] },
    // Not the deleted one: its page may still be open, and would request it in vain.
    deleteWork: { invalidatesTags: [ALL_MINE] },
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

/** Updates a work in everything that shows it with the server's response to a like, a collect or a view. */
function marksKnown(worksId: string | undefined, known: Known): AppThunk {
  return (dispatch, getState) => {
    for (const { endpointName, originalArgs } of worksApi.util.selectInvalidatedBy(getState(), [CARDS])) {
      const change = (shown: object) => {
        for (const card of cardsOf(shown as Shown)) if (card.id === worksId) Object.assign(card, known);
      };
      dispatch(worksApi.util.updateQueryData(endpointName as "workList", originalArgs, change));
    }
  };
}
