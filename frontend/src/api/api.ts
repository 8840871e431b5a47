import { pendingApi } from "./pending";

/**
 * The API with what the contract cannot say: which caches a call fills, which it makes stale, and
 * which loads run in the background.
 */
export const api = pendingApi.enhanceEndpoints({
  endpoints: {
    authLogout: { extraOptions: { silent: true } },
    authRefreshToken: { extraOptions: { silent: true } },
    // Their failures are told inside the puzzle, each with its own way to go on.
    authSliderChallenge: { extraOptions: { silent: true } },
    authGetAliyunAcs: { extraOptions: { silent: true } },
    authAppUserInfo: { providesTags: ["Me"], extraOptions: { background: true } },
    personalQueryInfo: { providesTags: ["Me"], extraOptions: { background: true } },
    personalAvatarInformation: { providesTags: ["Me"], extraOptions: { background: true } },
    personalAccountInformation: { providesTags: ["Account"], extraOptions: { background: true } },
    personalGetPersonalStatisticsByUserId: {
      providesTags: ["Statistics"],
      // This call's own history: 0 counts as success beside the usual codes.
      extraOptions: { background: true, successCodes: [60000, 60212, 60110, 0] },
    },
    personalMyPackageList: { providesTags: ["Orders"], extraOptions: { background: true } },
    personalGetPopupSettings: { extraOptions: { background: true } },
    personalFriendlinkList: { extraOptions: { background: true } },
    personalGetLatestClientVersion: { extraOptions: { background: true } },
    personalGetTheGuidePageReadingStatus: { providesTags: ["Guide"], extraOptions: { background: true } },
    personalUpdateTheGuidePageReadingStatus: { invalidatesTags: ["Guide"] },
    processListFiles: { providesTags: ["Files"] },
    processFileDetail: { providesTags: ["Files"] },
    processModelChecking: { invalidatesTags: ["Files", "Statistics"] },
    processUpdateModelFile: { invalidatesTags: ["Files"] },
    processModelRelease: { invalidatesTags: ["Files"] },
    processDeleteFile: { invalidatesTags: ["Files", "Statistics"] },
    processRetryCheck: { invalidatesTags: ["Files"] },
    processCardList: { providesTags: ["Results"] },
    processServiceDetail: { providesTags: ["Results"] },
    processSubmit: { invalidatesTags: ["Results", "Statistics"] },
    processDeleteResult: { invalidatesTags: ["Results", "Statistics"] },
  },
});
