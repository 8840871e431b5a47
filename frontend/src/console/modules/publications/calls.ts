import { personalApi } from "../../api/generated/personal";

/** The calls about what is published, with what makes their caches stale. */
export const publicationsApi = personalApi.enhanceEndpoints({
  addTagTypes: ["Publication", "Publications"],
  endpoints: {
    personalPublicationList: { providesTags: ["Publications"] },
    personalPublicationShow: { providesTags: ["Publication"] },
    personalPublicationSave: { invalidatesTags: ["Publication", "Publications"] },
    personalPublicationPublish: { invalidatesTags: ["Publication", "Publications"] },
    personalPublicationWithdraw: { invalidatesTags: ["Publication", "Publications"] },
    personalPublicationRestore: { invalidatesTags: ["Publication", "Publications"] },
  },
});

export const {
  usePersonalPublicationListQuery: usePublications,
  usePersonalPublicationShowQuery: usePublication,
  usePersonalPublicationSaveMutation: useSave,
  usePersonalPublicationPublishMutation: usePublish,
  usePersonalPublicationWithdrawMutation: useWithdraw,
  usePersonalPublicationRestoreMutation: useRestore,
  usePersonalPublicationPictureMutation: useSendPicture,
} = publicationsApi;
