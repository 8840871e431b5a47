import { analyticsApi } from "@/api/generated/analytics";

export * from "@/api/generated/analytics";

analyticsApi.enhanceEndpoints({
  endpoints: {
    // Best effort: a failure is ignored.
    saveUserVisitRecord: { extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const analyticsEndpoints = analyticsApi.endpoints;
