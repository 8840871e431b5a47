import { worksApi } from "../../api/generated/works";

/** The calls about works, their categories and what people say of them, with what makes their caches stale. */
export const worksConsole = worksApi.enhanceEndpoints({
  addTagTypes: ["Work", "Works", "WorkCategories", "WorkComments"],
  endpoints: {
    worksWorkSearch: { providesTags: ["Works"] },
    worksWorkShow: { providesTags: ["Work"] },
    worksWorkDecide: { invalidatesTags: ["Work", "Works"] },
    worksWorkHide: { invalidatesTags: ["Work", "Works"] },
    worksWorkRestore: { invalidatesTags: ["Work", "Works"] },
    worksWorkRecommend: { invalidatesTags: ["Work", "Works"] },
    worksWorkCategoryList: { providesTags: ["WorkCategories"] },
    worksWorkCategorySave: { invalidatesTags: ["WorkCategories"] },
    worksCommentSearch: { providesTags: ["WorkComments"] },
    worksCommentHide: { invalidatesTags: ["WorkComments"] },
    worksCommentRestore: { invalidatesTags: ["WorkComments"] },
    worksReportsDismiss: { invalidatesTags: ["Work", "Works", "WorkComments"] },
  },
});

export const {
  useWorksWorkSearchQuery: useWorkSearch,
  useWorksWorkShowQuery: useWorkShow,
  useWorksWorkDecideMutation: useDecide,
  useWorksWorkHideMutation: useHide,
  useWorksWorkRestoreMutation: useRestore,
  useWorksWorkRecommendMutation: useRecommend,
  useWorksWorkCategoryListQuery: useCategories,
  useWorksWorkCategorySaveMutation: useSaveCategory,
  useWorksCommentSearchQuery: useCommentSearch,
  useWorksCommentHideMutation: useHideComment,
  useWorksCommentRestoreMutation: useRestoreComment,
  useWorksReportsDismissMutation: useDismiss,
} = worksConsole;
