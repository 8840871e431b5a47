import { matchupApi } from "@/api/generated/matchup";

export * from "@/api/generated/matchup";

matchupApi.enhanceEndpoints({
  endpoints: {
    // Not the one that is gone: its page may still be open, and would ask for it in vain.
    deleteDemand: { invalidatesTags: (_reply, error) => (error ? [] : ["Demands"]) },
  },
});
