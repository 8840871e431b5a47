import { authApi } from "@/api/generated/auth";

export type {
  AuthAuthDeveloperRequest,
  AuthAuthEnterpriseRequest,
  AuthAuthPersonalRequest,
  AuthCertification,
  AuthMyCertificationReply,
} from "@/api/generated/auth";

/** Certification: the calls with their tags. What is asked for changes what every page knows of the person. */
const api = authApi.enhanceEndpoints({
  addTagTypes: ["Certification", "Me"],
  endpoints: {
    authMyCertification: { providesTags: ["Certification"], extraOptions: { background: true } },
    authAuthPersonal: { invalidatesTags: ["Certification", "Me"] },
    authAuthEnterprise: { invalidatesTags: ["Certification", "Me"] },
    authAuthDeveloper: { invalidatesTags: ["Certification"] },
    authWithdrawCertification: { invalidatesTags: ["Certification", "Me"] },
  },
});

export const {
  useAuthAuthDeveloperMutation,
  useAuthAuthEnterpriseMutation,
  useAuthAuthPersonalMutation,
  useAuthMyCertificationQuery,
  useAuthWithdrawCertificationMutation,
} = api;

export const invalidateCertification = api.util.invalidateTags;
