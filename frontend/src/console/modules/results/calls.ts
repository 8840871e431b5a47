import { processApi } from "../../api/generated/process";

/** What people think of results: read anew at each visit. */
export const resultsApi = processApi.enhanceEndpoints({
  endpoints: {
    processResultFeedbackList: { keepUnusedDataFor: 0 },
    processResultFeedbackAverages: { keepUnusedDataFor: 0 },
  },
});

export const {
  useProcessResultFeedbackListQuery: useFeedbackList,
  useProcessResultFeedbackAveragesQuery: useAverages,
} = resultsApi;
