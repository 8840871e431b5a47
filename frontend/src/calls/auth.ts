import { authApi } from "@/api/generated/auth";

export type * from "@/api/generated/auth";

/** Accounts, tokens, SMS codes and the puzzle: the calls with their tags, and which of them load in the background. */
const enhanced = authApi.enhanceEndpoints({
  addTagTypes: ["Identities", "Me"],
  endpoints: {
    authLogout: { extraOptions: { silent: true } },
    authRefreshToken: { extraOptions: { silent: true } },
    // That the slider is needed is shown by the slider.
    authUserIsExist: { extraOptions: { ownCodes: [60201] } },
    // That a second factor is needed is told by the step that asks for it.
    authToken: { extraOptions: { ownCodes: [60206] } },
    authLoginByPhone: { extraOptions: { ownCodes: [60206] } },
    // Their failures are told inside the puzzle, each with its own way to go on.
    authSliderChallenge: { extraOptions: { silent: true } },
    authGetAliyunAcs: { extraOptions: { silent: true } },
    // Its owner field is `uid`, and its success code is its own.
    authSaveInvitedCode: { extraOptions: { successCodes: [200], notFast: true } },
    authGetMyThirdPartyAccount: { providesTags: ["Identities"] },
    authBindThirdPartyAccount: { invalidatesTags: ["Identities"] },
    authRemoveThirdPartyAccountById: { invalidatesTags: ["Identities"] },
    authAppUserInfo: { providesTags: ["Me"], extraOptions: { background: true } },
  },
});

export const {
  useAuthBindThirdPartyAccountMutation,
  useAuthFindPwdByPhoneMutation,
  useAuthGetMyThirdPartyAccountQuery,
  useAuthLoginByPhoneMutation,
  useAuthRegisterPhoneMutation,
  useAuthRelatedPhoneMutation,
  useAuthRemoveThirdPartyAccountByIdMutation,
  useAuthSaveInvitedCodeMutation,
  useAuthThirdPartyCallbackMutation,
  useAuthTokenMutation,
} = enhanced;

/** For calls outside components. */
export const authEndpoints = enhanced.endpoints;
