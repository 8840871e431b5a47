import { contentApi } from "@/api/generated/content";

export * from "@/api/generated/content";

// The pages say themselves what is missing or could not be read.
const quiet = { extraOptions: { silent: true } };

// An answer is kept while the page may come back to it.
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
