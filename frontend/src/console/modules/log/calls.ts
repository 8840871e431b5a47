import { authApi } from "../../api/generated/auth";
import { TAGS } from "../../api/generated/tags";

/** The log is of every area: an act on anything leaves an entry, and a conflict over anything shows that one was left. */
export const { useAuditSearchQuery } = authApi.enhanceEndpoints({
  endpoints: { auditSearch: { providesTags: [...TAGS] } },
});
