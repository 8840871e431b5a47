import { analyticsApi } from "../../api/generated/analytics";

/** The calls about visits. Counts are made anew each minute, so an answer serves only while it is shown. */
export const visitsApi = analyticsApi.enhanceEndpoints({
  endpoints: {
    analyticsVisitFigures: { keepUnusedDataFor: 0 },
    analyticsVisitTop: { keepUnusedDataFor: 0 },
    analyticsVisitFunnel: { keepUnusedDataFor: 0 },
    analyticsVisitActions: { keepUnusedDataFor: 0 },
  },
});

export const {
  useAnalyticsVisitFiguresQuery: useFigures,
  useAnalyticsVisitTopQuery: useTop,
  useAnalyticsVisitFunnelQuery: useFunnel,
  useAnalyticsVisitActionsQuery: useActions,
} = visitsApi;
