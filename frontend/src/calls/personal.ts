import { personalApi } from "@/api/generated/personal";

export type * from "@/api/generated/personal";

/** The person: profile, account, counters, upload settings: the calls with their tags, and which of them load in the background. */
const api = personalApi.enhanceEndpoints({
  addTagTypes: ["Account", "Guide", "Me", "Messages", "Orders", "Statistics"],
  endpoints: {
    personalQueryInfo: { providesTags: ["Me"], extraOptions: { background: true } },
    personalModifyUserInfo: { invalidatesTags: ["Me"] },
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
    // The page tells nothing of a popup that could not be had, nor of one that could not be closed: it comes again.
    personalGetMemberPopup: { extraOptions: { background: true } },
    personalCancelMemberPopup: { extraOptions: { silent: true } },
    personalGetPopupSettings: { extraOptions: { background: true } },
    personalFriendlinkList: { extraOptions: { background: true } },
    personalGetLatestClientVersion: { extraOptions: { background: true } },
    personalGetTheGuidePageReadingStatus: { providesTags: ["Guide"], extraOptions: { background: true } },
    personalListMessages: { providesTags: ["Messages"], extraOptions: { background: true } },
    personalUnreadMessages: { providesTags: ["Messages"], extraOptions: { background: true } },
    personalQueryMessageIsRead: { providesTags: ["Messages"], extraOptions: { background: true } },
    personalQueryCommentIsRead: { providesTags: ["Messages"], extraOptions: { background: true } },
    personalReadMessages: { invalidatesTags: ["Messages", "Me"] },
    personalDeleteMessages: { invalidatesTags: ["Messages", "Me"] },
    personalUpdateTheGuidePageReadingStatus: { invalidatesTags: ["Guide"] },
  },
});

export const {
  usePersonalAccountInformationQuery,
  usePersonalAttentionMutation,
  usePersonalAvatarInformationQuery,
  usePersonalCancelMemberPopupMutation,
  usePersonalDeleteMessagesMutation,
  usePersonalFriendlinkListQuery,
  usePersonalGetLatestClientVersionQuery,
  usePersonalGetMemberPopupMutation,
  usePersonalGetObjectModelFileUploadSettingsQuery,
  usePersonalGetPersonalStatisticsByUserIdQuery,
  usePersonalGetPopupSettingsMutation,
  usePersonalGetSceneModelFileUploadSettingsQuery,
  usePersonalGetTheGuidePageReadingStatusQuery,
  usePersonalModifyUserInfoMutation,
  usePersonalListMessagesQuery,
  usePersonalMyPackageListQuery,
  usePersonalQueryCommentIsReadQuery,
  usePersonalQueryInfoQuery,
  usePersonalQueryMessageIsReadQuery,
  usePersonalReadMessagesMutation,
  usePersonalTextAntispamScanMutation,
  usePersonalUnreadMessagesQuery,
  usePersonalUpdateTheGuidePageReadingStatusMutation,
} = api;

/** For calls outside components. */
export const personalEndpoints = api.endpoints;

/** Marks what messages change as stale. */
export const invalidateMessages = () => api.util.invalidateTags(["Messages", "Me"]);

/** Marks the profile as stale. */
export const invalidateMe = () => api.util.invalidateTags(["Me"]);
