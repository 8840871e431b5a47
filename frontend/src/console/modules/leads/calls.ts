import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** The calls about applications, with what makes their caches stale. */
export const leadsApi = personalApi.enhanceEndpoints({
  addTagTypes: ["Lead", "Leads"],
  endpoints: {
    personalLeadList: { providesTags: ["Leads"], keepUnusedDataFor: 0 },
    personalLeadShow: { providesTags: ["Lead"], keepUnusedDataFor: 0 },
    personalLeadMove: { invalidatesTags: ["Lead", "Leads"] },
    personalLeadRemove: { invalidatesTags: ["Leads"] },
  },
});

export const {
  usePersonalLeadListQuery: useLeads,
  usePersonalLeadShowQuery: useLead,
  usePersonalLeadMoveMutation: useMove,
  usePersonalLeadRemoveMutation: useRemove,
} = leadsApi;

/** The number in clear: a look that stands in the log. */
export async function phoneOf(id: string): Promise<string> {
  const call = leadsApi.endpoints.personalLeadPhone;
  const { phone } = await runQuery(call.initiate({ id }, { forceRefetch: true, subscribe: false }));
  return phone;
}
