import { matchupApi } from "../../api/generated/matchup";

/** The calls about needs and providers, with what makes their caches stale. */
export const matchupConsole = matchupApi.enhanceEndpoints({
  addTagTypes: ["Demand", "Demands", "Provider", "Providers"],
  endpoints: {
    matchupDemandSearch: { providesTags: ["Demands"] },
    matchupDemandShow: { providesTags: ["Demand"] },
    matchupDemandDecide: { invalidatesTags: ["Demand", "Demands"] },
    matchupDemandHide: { invalidatesTags: ["Demand", "Demands"] },
    matchupDemandRestore: { invalidatesTags: ["Demand", "Demands"] },
    matchupProviderSearch: { providesTags: ["Providers"] },
    matchupProviderShow: { providesTags: ["Provider"] },
    matchupProviderDecide: { invalidatesTags: ["Provider", "Providers"] },
    matchupProviderHide: { invalidatesTags: ["Provider", "Providers"] },
    matchupProviderRestore: { invalidatesTags: ["Provider", "Providers"] },
  },
});

export const {
  useMatchupDemandSearchQuery: useDemandSearch,
  useMatchupDemandShowQuery: useDemandShow,
  useMatchupDemandDecideMutation: useDecideDemand,
  useMatchupDemandHideMutation: useHideDemand,
  useMatchupDemandRestoreMutation: useRestoreDemand,
  useMatchupProviderSearchQuery: useProviderSearch,
  useMatchupProviderShowQuery: useProviderShow,
  useMatchupProviderDecideMutation: useDecideProvider,
  useMatchupProviderHideMutation: useHideProvider,
  useMatchupProviderRestoreMutation: useRestoreProvider,
} = matchupConsole;
