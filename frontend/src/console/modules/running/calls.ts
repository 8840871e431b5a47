import { authApi } from "../../api/generated/auth";

/** The calls about how the installation is. */
export const runningApi = authApi.enhanceEndpoints({
  addTagTypes: ["Running", "DeadLetters"],
  endpoints: {
    authRunningOverview: { providesTags: ["Running"] },
    authRunningDeadLetters: { providesTags: ["DeadLetters"] },
    authRunningRedeliver: { invalidatesTags: ["Running", "DeadLetters"] },
  },
});

export const {
  useAuthRunningOverviewQuery: useOverview,
  useAuthRunningDeadLettersQuery: useDeadLetters,
  useAuthRunningRedeliverMutation: useRedeliver,
} = runningApi;

/** How often a page of figures asks again, in milliseconds. */
export const EVERY_MS = 15_000;
