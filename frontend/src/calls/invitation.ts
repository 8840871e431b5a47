import { authApi } from "@/api/generated/auth";

export type * from "@/api/generated/auth";

/** One's own code and whom it brought. It writes only where it makes the code. */
const api = authApi.enhanceEndpoints({
  endpoints: { authMyExtension: { extraOptions: { background: true } } },
});

export const { useAuthMyExtensionMutation } = api;
