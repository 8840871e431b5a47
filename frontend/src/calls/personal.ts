import { personalApi } from "@/api/generated/personal";

export * from "@/api/generated/personal";

personalApi.enhanceEndpoints({
  endpoints: {
    // This call's own history: 0 counts as success beside the usual codes.
    getPersonalStatisticsByUserId: { extraOptions: { successCodes: [60000, 60212, 60110, 0] } },
    // The upload reports their failures in words of its own; the shared toast would repeat them.
    getHuaweiParam: { extraOptions: { silent: true } },
    textAntispamScan: { extraOptions: { silent: true } },
    // The page shows nothing of a popup that could not be had, nor of one that could not be closed: it comes again.
    getMemberPopup: { extraOptions: { background: true } },
    cancelMemberPopup: { extraOptions: { silent: true } },
    getPopupSettings: { extraOptions: { background: true } },
    chatLines: { extraOptions: { background: true } },
    isSubmitted: { keepUnusedDataFor: 0, extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const personalEndpoints = personalApi.endpoints;

/** Marks what messages change as stale. */
export const invalidateMessages = () => personalApi.util.invalidateTags(["Messages", "Me"]);

/** Marks the profile as stale. */
export const invalidateMe = () => personalApi.util.invalidateTags(["Me"]);
