import { analyticsApi } from "@/api/generated/analytics";

/** What the site itself records of its visits. */
export const analyticsEndpoints = analyticsApi.enhanceEndpoints({
  endpoints: {
    // Nobody waits for it, and its failure is nobody's business.
    analyticsSaveUserVisitRecord: { extraOptions: { silent: true, background: true } },
  },
}).endpoints;
