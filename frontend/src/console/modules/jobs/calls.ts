import { processApi } from "../../api/generated/process";

export * from "../../api/generated/process";

processApi.enhanceEndpoints({
  endpoints: {
    jobSearch: { keepUnusedDataFor: 0 },
    jobShow: { keepUnusedDataFor: 0 },
  },
});

/** Polling interval of the queue's pages, in milliseconds. */
export const EVERY_MS = 15_000;
