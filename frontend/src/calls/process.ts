import { processApi } from "@/api/generated/process";

export * from "@/api/generated/process";

const silent = { extraOptions: { silent: true } };

processApi.enhanceEndpoints({
  endpoints: {
    // A poll that fails is tried again by itself; a toast each time would help nobody.
    getModelStatus: silent,
    getProgress: silent,
    // The upload reports its failure in words of its own; the shared toast would repeat it.
    modelChecking: silent,
    hasBeenSubmittedFeedback: silent,
    myResultFeedback: silent,
  },
});

/** For calls outside components. */
export const processEndpoints = processApi.endpoints;
export const invalidateProcess = processApi.util.invalidateTags;
