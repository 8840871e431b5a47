import { authApi } from "../../api/generated/auth";

/** The calls about the log. An entry may be added by any call, so an answer is kept only while it is shown. */
export const logApi = authApi.enhanceEndpoints({
  endpoints: {
    authAuditSearch: { keepUnusedDataFor: 0 },
  },
});

export const { useAuthAuditSearchQuery: useAuditSearch, useLazyAuthAuditVerifyQuery: useVerify } = logApi;
