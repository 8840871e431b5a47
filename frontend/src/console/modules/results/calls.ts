import { processApi } from "../../api/generated/process";

export * from "../../api/generated/process";

processApi.enhanceEndpoints({
  endpoints: {
    resultFeedbackList: { keepUnusedDataFor: 0 },
    resultFeedbackAverages: { keepUnusedDataFor: 0 },
  },
});
