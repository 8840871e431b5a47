import { analyticsApi } from "@/api/generated/analytics";

export * from "@/api/generated/analytics";

analyticsApi.enhanceEndpoints({
  endpoints: {
    // Nobody waits for it, and its failure is nobody's business.
    saveUserVisitRecord: { extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const analyticsEndpoints = analyticsApi.endpoints;
