import { authApi } from "@/api/generated/auth";

export * from "@/api/generated/auth";

authApi.enhanceEndpoints({
  endpoints: {
    logout: { extraOptions: { silent: true } },
    refreshToken: { extraOptions: { silent: true } },
    // That the slider is needed is shown by the slider.
    userIsExist: { extraOptions: { ownCodes: [60201] } },
    // That a second factor is needed is shown by the step that asks for it.
    token: { extraOptions: { ownCodes: [60206] } },
    loginByPhone: { extraOptions: { ownCodes: [60206] } },
    // Their failures are handled inside the captcha.
    sliderChallenge: { extraOptions: { silent: true } },
    getAliyunAcs: { extraOptions: { silent: true } },
    // Its owner field is `uid`, and its success code is its own.
    saveInvitedCode: { extraOptions: { successCodes: [200], notFast: true } },
    // A wrong proof is shown at its field.
    confirmIdentity: { extraOptions: { ownCodes: [60203, 60204, 60206] } },
    // It writes only where it makes the code.
    myExtension: { extraOptions: { background: true } },
  },
});

/** For calls outside components. */
export const authEndpoints = authApi.endpoints;
export const invalidateCertification = authApi.util.invalidateTags;
