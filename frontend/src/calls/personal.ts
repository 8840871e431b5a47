import { personalApi } from "@/api/generated/personal";

export type * from "@/api/generated/personal";

/** The person: profile, account, counters, upload settings: the calls with their tags, and which of them load in the background. */
const api = personalApi.enhanceEndpoints({
  addTagTypes: ["Account", "Guide", "Me", "Orders", "Statistics"],
  endpoints: {
    personalQueryInfo: { providesTags: ["Me"], extraOptions: { background: true } },
    personalAvatarInformation: { providesTags: ["Me"], extraOptions: { background: true } },
    personalAccountInformation: { providesTags: ["Account"], extraOptions: { background: true } },
    personalGetPersonalStatisticsByUserId: {
      providesTags: ["Statistics"],
      // This call's own history: 0 counts as success beside the usual codes.
      extraOptions: { background: true, successCodes: [60000, 60212, 60110, 0] },
    },
    // The upload reports their failures in words of its own; the shared toast would repeat them.
    personalGetHuaweiParam: { extraOptions: { silent: true } },
    personalTextAntispamScan: { extraOptions: { silent: true } },
    personalMyPackageList: { providesTags: ["Orders"], extraOptions: { background: true } },
    personalGetPopupSettings: { extraOptions: { background: true } },
    personalFriendlinkList: { extraOptions: { background: true } },
    personalGetLatestClientVersion: { extraOptions: { background: true } },
    personalGetTheGuidePageReadingStatus: { providesTags: ["Guide"], extraOptions: { background: true } },
    personalUpdateTheGuidePageReadingStatus: { invalidatesTags: ["Guide"] },
  },
});

export const {
  usePersonalAccountInformationQuery,
  usePersonalAvatarInformationQuery,
  usePersonalFriendlinkListQuery,
  usePersonalGetLatestClientVersionQuery,
  usePersonalGetObjectModelFileUploadSettingsQuery,
  usePersonalGetPersonalStatisticsByUserIdQuery,
  usePersonalGetPopupSettingsMutation,
  usePersonalGetSceneModelFileUploadSettingsQuery,
  usePersonalGetTheGuidePageReadingStatusQuery,
  usePersonalMyPackageListQuery,
  usePersonalQueryInfoQuery,
  usePersonalTextAntispamScanMutation,
  usePersonalUpdateTheGuidePageReadingStatusMutation,
} = api;

/** For calls outside components. */
export const personalEndpoints = api.endpoints;
