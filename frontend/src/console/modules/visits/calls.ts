import { analyticsApi } from "../../api/generated/analytics";

export * from "../../api/generated/analytics";

analyticsApi.enhanceEndpoints({
  endpoints: {
    visitFigures: { keepUnusedDataFor: 0 },
    visitTop: { keepUnusedDataFor: 0 },
    visitFunnel: { keepUnusedDataFor: 0 },
    visitActions: { keepUnusedDataFor: 0 },
  },
});
