import { contentApi } from "@/api/generated/content";

export type * from "@/api/generated/content";

// the pages say themselves what is missing or could not be read
const quiet = { extraOptions: { silent: true } };

/** What the site has to read: an answer is kept while the page may come back to it. */
const api = contentApi.enhanceEndpoints({
  endpoints: {
    contentContentCategories: { keepUnusedDataFor: 300, ...quiet },
    contentContentList: { keepUnusedDataFor: 300, ...quiet },
    contentContentDetail: { keepUnusedDataFor: 120, ...quiet },
    contentContentSearch: quiet,
    contentContentPages: quiet,
    contentContentPreview: { keepUnusedDataFor: 0, ...quiet },
  },
});

export const {
  useContentContentCategoriesQuery,
  useContentContentDetailQuery,
  useContentContentListQuery,
  useContentContentPagesQuery,
  useContentContentPreviewQuery,
  useContentContentSearchQuery,
} = api;
