import { personalApi } from "../../api/generated/personal";

/** The calls about the lists of words, with what makes their caches stale. */
export const wordsApi = personalApi.enhanceEndpoints({
  addTagTypes: ["Words"],
  endpoints: {
    personalWordList: { providesTags: ["Words"] },
    personalWordTest: { providesTags: ["Words"] },
    personalWordSave: { invalidatesTags: ["Words"] },
    personalWordRemove: { invalidatesTags: ["Words"] },
    personalWordImport: { invalidatesTags: ["Words"] },
  },
});

export const {
  usePersonalWordListQuery: useWords,
  usePersonalWordTestQuery: useWordTest,
  usePersonalWordSaveMutation: useSave,
  usePersonalWordRemoveMutation: useRemove,
  usePersonalWordImportMutation: useImport,
} = wordsApi;
