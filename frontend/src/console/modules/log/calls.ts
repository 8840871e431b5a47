import { authApi } from "../../api/generated/auth";

export * from "../../api/generated/auth";

authApi.enhanceEndpoints({
  endpoints: {
    auditSearch: { keepUnusedDataFor: 0 },
  },
});
