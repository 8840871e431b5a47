import { processApi } from "@/api/generated/process";

export * from "@/api/generated/process";

const silent = { extraOptions: { silent: true } };

processApi.enhanceEndpoints({
  endpoints: {
    // A failed poll is retried; a toast each time would not help.
    getModelStatus: silent,
    getProgress: silent,
    // The upload shows its own error messages; the shared toast would repeat them.
    modelChecking: silent,
    hasBeenSubmittedFeedback: silent,
    myResultFeedback: silent,
  },
});

/** For calls outside components. */
export const processEndpoints = processApi.endpoints;
export const invalidateProcess = processApi.util.invalidateTags;
