import { personalApi } from "@/api/generated/personal";

export * from "@/api/generated/personal";

personalApi.enhanceEndpoints({
  endpoints: {
    // Legacy of this call: 0 counts as success beside the usual codes.
    getPersonalStatisticsByUserId: { extraOptions: { successCodes: [60000, 60212, 60110, 0] } },
    // The upload shows its own error messages; the shared toast would repeat them.
    getHuaweiParam: { extraOptions: { silent: true } },
    textAntispamScan: { extraOptions: { silent: true } },
    // A popup that fails to load or to close is not reported: it is shown again.
    getMemberPopup: { extraOptions: { background: true } },
    cancelMemberPopup: { extraOptions: { silent: true } },
    getPopupSettings: { extraOptions: { background: true } },
    chatLines: { extraOptions: { background: true } },
    isSubmitted: { keepUnusedDataFor: 0, extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const personalEndpoints = personalApi.endpoints;

/** Invalidates everything that messages change. */
export const invalidateMessages = () => personalApi.util.invalidateTags(["Messages", "Me"]);

/** Invalidates the profile. */
export const invalidateMe = () => personalApi.util.invalidateTags(["Me"]);
