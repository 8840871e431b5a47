import { authApi } from "../../api/generated/auth";

/** The calls about invitations, with what makes their caches stale. */
export const invitationApi = authApi.enhanceEndpoints({
  addTagTypes: ["Invitation", "Invitations"],
  endpoints: {
    authInvitationList: { providesTags: ["Invitations"] },
    authInvitationFigures: { providesTags: ["Invitations"] },
    authInvitationShow: { providesTags: ["Invitation"] },
    authInvitationRelease: { invalidatesTags: ["Invitation", "Invitations"] },
    authInvitationRefuse: { invalidatesTags: ["Invitation", "Invitations"] },
  },
});

export const {
  useAuthInvitationListQuery: useInvitationList,
  useAuthInvitationFiguresQuery: useFigures,
  useAuthInvitationShowQuery: useInvitationShow,
  useAuthInvitationReleaseMutation: useRelease,
  useAuthInvitationRefuseMutation: useRefuse,
} = invitationApi;
