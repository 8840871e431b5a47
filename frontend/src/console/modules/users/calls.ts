import { authApi } from "../../api/generated/auth";

/** The calls about users, with what makes their caches stale. */
export const usersApi = authApi.enhanceEndpoints({
  addTagTypes: ["User", "Users"],
  endpoints: {
    authUserSearch: { providesTags: ["Users"] },
    authUserShow: { providesTags: ["User"] },
    authUserFreeze: { invalidatesTags: ["User", "Users"] },
    authUserThaw: { invalidatesTags: ["User", "Users"] },
    authUserEndSessions: { invalidatesTags: ["User"] },
  },
});

export const {
  useAuthUserSearchQuery: useUserSearch,
  useAuthUserShowQuery: useUserShow,
  useAuthUserFreezeMutation: useFreeze,
  useAuthUserThawMutation: useThaw,
  useAuthUserEndSessionsMutation: useEndSessions,
} = usersApi;
