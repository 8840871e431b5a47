import { authApi } from "@/api/generated/auth";

export type * from "@/api/generated/auth";

/** Accounts, tokens, SMS codes and the puzzle: the calls with their tags, and which of them load in the background. */
const enhanced = authApi.enhanceEndpoints({
  addTagTypes: ["Me"],
  endpoints: {
    authLogout: { extraOptions: { silent: true } },
    authRefreshToken: { extraOptions: { silent: true } },
    // Their failures are told inside the puzzle, each with its own way to go on.
    authSliderChallenge: { extraOptions: { silent: true } },
    authGetAliyunAcs: { extraOptions: { silent: true } },
    authAppUserInfo: { providesTags: ["Me"], extraOptions: { background: true } },
  },
});

/**
 * Calls of the specification that are not in the published contract yet; the gateway answers them "not open yet"
 * (60404). Each goes from here once `npm run api` generates an endpoint of its name.
 */
const pendingApi = enhanced.injectEndpoints({
  endpoints: (build) => ({
    authSaveInvitedCode: build.mutation<null, { uid: string; invitedcode: string }>({
      query: (body) => ({ url: "/api-user/users-comm/saveInvitedCode", method: "POST", body }),
      // Its owner field is `uid`, and its success code is its own.
      extraOptions: { successCodes: [200], notFast: true },
    }),
    authRelatedPhone: build.mutation<
      string,
      { phoneno: string; verifycode: string; smsKey: string; openId: string; type: string }
    >({
      query: (body) => ({ url: "/api-auth/oauth/user/relatedPhone", method: "POST", body }),
    }),
  }),
  overrideExisting: false,
});

export const {
  useAuthFindPwdByPhoneMutation,
  useAuthLoginByPhoneMutation,
  useAuthRegisterPhoneMutation,
  useAuthRelatedPhoneMutation,
  useAuthSaveInvitedCodeMutation,
  useAuthTokenMutation,
} = pendingApi;

/** For calls outside components. */
export const authEndpoints = pendingApi.endpoints;
