import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";

/** The calls about certification, with what makes their caches stale. */
export const certificationApi = authApi.enhanceEndpoints({
  addTagTypes: ["Certification", "Certifications"],
  endpoints: {
    authCertificationQueue: { providesTags: ["Certifications"] },
    authCertificationShow: { providesTags: ["Certification"] },
    authCertificationClaim: { invalidatesTags: ["Certification", "Certifications"] },
    authCertificationDecide: { invalidatesTags: ["Certification", "Certifications"] },
  },
});

export const {
  useAuthCertificationQueueQuery: useCertificationQueue,
  useAuthCertificationShowQuery: useCertificationShow,
  useAuthCertificationClaimMutation: useClaim,
  useAuthCertificationDecideMutation: useDecide,
} = certificationApi;

/** One part in clear. Each question stands in the log, and no cache keeps its answer. */
export const reveal = (id: string, part: string) =>
  runQuery(
    certificationApi.endpoints.authCertificationReveal.initiate(
      { id, part },
      { forceRefetch: true, subscribe: false },
    ),
  );
