import { contentApi } from "../../api/generated/content";

const changes = { invalidatesTags: ["Article" as const, "Articles" as const] };

/** The calls about articles, with what makes their caches stale. */
export const articlesApi = contentApi.enhanceEndpoints({
  addTagTypes: ["Article", "Articles", "ArticleCategories", "Redirects"],
  endpoints: {
    contentArticleList: { providesTags: ["Articles"] },
    contentArticleShow: { providesTags: ["Article"] },
    contentArticleSave: changes,
    contentArticleReview: changes,
    contentArticlePublish: changes,
    contentArticleArchive: changes,
    contentArticleRestore: changes,
    contentContentCategoryList: { providesTags: ["ArticleCategories"] },
    contentContentCategorySave: { invalidatesTags: ["ArticleCategories"] },
    contentRedirectList: { providesTags: ["Redirects"] },
    contentRedirectSave: { invalidatesTags: ["Redirects"] },
    contentRedirectRemove: { invalidatesTags: ["Redirects"] },
  },
});

export const {
  useContentArticleListQuery: useArticles,
  useContentArticleShowQuery: useArticle,
  useContentArticleRevisionShowQuery: useRevision,
  useContentArticleSaveMutation: useSave,
  useContentArticleReviewMutation: useReview,
  useContentArticlePublishMutation: usePublish,
  useContentArticleArchiveMutation: useArchive,
  useContentArticleRestoreMutation: useRestore,
  useContentArticlePreviewMutation: usePreview,
  useContentContentCategoryListQuery: useCategories,
  useContentContentCategorySaveMutation: useSaveCategory,
  useContentRedirectListQuery: useRedirects,
  useContentRedirectSaveMutation: useSaveRedirect,
  useContentRedirectRemoveMutation: useRemoveRedirect,
} = articlesApi;
