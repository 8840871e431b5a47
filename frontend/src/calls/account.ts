import { authApi } from "@/api/generated/auth";

export type * from "@/api/generated/auth";

/** What protects an account, where it is signed in, and what changes either: the calls with their tags. */
const api = authApi.enhanceEndpoints({
  addTagTypes: ["Me", "Security", "Sessions", "Closure", "Export"],
  endpoints: {
    // A wrong proof is told at its field.
    authConfirmIdentity: { invalidatesTags: ["Security"], extraOptions: { ownCodes: [60203, 60204, 60206] } },
    authAccountSecurity: { providesTags: ["Security"], extraOptions: { background: true } },
    authListSessions: { providesTags: ["Sessions"], extraOptions: { background: true } },
    authListSignIns: { providesTags: ["Sessions"], extraOptions: { background: true } },
    authEndSession: { invalidatesTags: ["Sessions"] },
    authEndOtherSessions: { invalidatesTags: ["Sessions"] },
    // What changes a way in ends the other sessions too.
    authModifyPhone: { invalidatesTags: ["Me", "Security", "Sessions"] },
    authModifyUserPassword: { invalidatesTags: ["Security", "Sessions"] },
    authBindEmail: { invalidatesTags: ["Security", "Sessions"] },
    authConfirmSecondFactor: { invalidatesTags: ["Security", "Sessions"] },
    authRemoveSecondFactor: { invalidatesTags: ["Security", "Sessions"] },
    authRenewRecoveryCodes: { invalidatesTags: ["Security"] },
    authSetInterestAndRegisterPurpose: { invalidatesTags: ["Security"] },
    authClosureState: { providesTags: ["Closure"], extraOptions: { background: true } },
    authStartClosure: { invalidatesTags: ["Closure"] },
    authCancelClosure: { invalidatesTags: ["Closure"] },
    authExportState: { providesTags: ["Export"], extraOptions: { background: true } },
    authStartExport: { invalidatesTags: ["Export"] },
    // One that has expired meanwhile is shown as such.
    authExportLink: { invalidatesTags: ["Export"] },
  },
});

export const {
  useAuthAccountSecurityQuery,
  useAuthBeginSecondFactorMutation,
  useAuthBindEmailMutation,
  useAuthCancelClosureMutation,
  useAuthClosureStateQuery,
  useAuthConfirmIdentityMutation,
  useAuthConfirmSecondFactorMutation,
  useAuthEndOtherSessionsMutation,
  useAuthEndSessionMutation,
  useAuthExportLinkMutation,
  useAuthExportStateQuery,
  useAuthListSessionsQuery,
  useAuthListSignInsQuery,
  useAuthModifyPhoneMutation,
  useAuthModifyUserPasswordMutation,
  useAuthRemoveSecondFactorMutation,
  useAuthRenewRecoveryCodesMutation,
  useAuthSendMailCodeMutation,
  useAuthSendOwnCodeMutation,
  useAuthSetInterestAndRegisterPurposeMutation,
  useAuthStartClosureMutation,
  useAuthStartExportMutation,
} = api;
