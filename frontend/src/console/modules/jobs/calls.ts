import { processApi } from "../../api/generated/process";

/** The calls about jobs, with what makes their caches stale. */
export const jobsApi = processApi.enhanceEndpoints({
  addTagTypes: ["Job", "Jobs"],
  endpoints: {
    processJobSearch: { providesTags: ["Jobs"], keepUnusedDataFor: 0 },
    processJobShow: { providesTags: ["Job"], keepUnusedDataFor: 0 },
    processJobQueues: { providesTags: ["Jobs"] },
    processJobRetry: { invalidatesTags: ["Job", "Jobs"] },
    processJobCancel: { invalidatesTags: ["Job", "Jobs"] },
  },
});

export const {
  useProcessJobSearchQuery: useJobs,
  useProcessJobShowQuery: useJob,
  useProcessJobQueuesQuery: useQueues,
  useProcessJobRetryMutation: useRetry,
  useProcessJobCancelMutation: useCancel,
} = jobsApi;

/** How often a page of the queue asks again, in milliseconds. */
export const EVERY_MS = 15_000;
