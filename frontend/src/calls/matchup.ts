import { matchupApi } from "@/api/generated/matchup";

export * from "@/api/generated/matchup";

matchupApi.enhanceEndpoints({
  endpoints: {
    // Not the deleted one: its page may still be open, and would request it in vain.
    deleteDemand: { invalidatesTags: (_reply, error) => (error ? [] : ["Demands"]) },
  },
});
