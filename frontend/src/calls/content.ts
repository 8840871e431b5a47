import { contentApi } from "@/api/generated/content";

export * from "@/api/generated/content";

// The pages themselves show what is missing or failed to load.
const quiet = { extraOptions: { silent: true } };

// Kept while the page may be revisited.
contentApi.enhanceEndpoints({
  endpoints: {
    contentCategories: { keepUnusedDataFor: 300, ...quiet },
    contentList: { keepUnusedDataFor: 300, ...quiet },
    contentDetail: { keepUnusedDataFor: 120, ...quiet },
    contentSearch: quiet,
    contentPages: quiet,
    contentPreview: { keepUnusedDataFor: 0, ...quiet },
  },
});
