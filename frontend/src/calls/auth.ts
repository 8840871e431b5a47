import { sendFor } from "@/api/baseQuery";
import { authApi } from "@/api/generated/auth";
import type { Caller } from "@/api/prepare";

export * from "@/api/generated/auth";

authApi.enhanceEndpoints({
  endpoints: {
    refreshToken: { extraOptions: { silent: true, renews: true } },
    // The slider itself shows that it is needed.
    userIsExist: { extraOptions: { ownCodes: [60201] } },
    // The second-factor step itself shows that it is needed.
    token: { extraOptions: { ownCodes: [60206] } },
    loginByPhone: { extraOptions: { ownCodes: [60206] } },
    thirdPartyCallback: { extraOptions: { ownCodes: [60206] } },
    // The captcha handles their failures.
    sliderChallenge: { extraOptions: { silent: true } },
    getAliyunAcs: { extraOptions: { silent: true } },
    // Has its own owner field, `uid`, and its own success code.
    saveInvitedCode: { extraOptions: { successCodes: [200], notFast: true } },
    // A wrong proof is shown at its field.
    confirmIdentity: { extraOptions: { ownCodes: [60203, 60204, 60206] } },
    // Writes only when it creates the code.
    myExtension: { extraOptions: { background: true } },
  },
});

/** For calls outside components. */
export const authEndpoints = authApi.endpoints;
/** Ends a session whose login this page has dropped: signing out does not wait for the server. */
export const logoutFor = (caller: Caller): Promise<void> =>
  sendFor(caller, { url: "/api-auth/oauth/user/logout", method: "POST", body: {} });
export const invalidateCertification = authApi.util.invalidateTags;
