import { processApi } from "@/api/generated/process";

export type * from "@/api/generated/process";

/** Source files, check-ups, services and their results: the calls with their tags, and which of them load in the background. */
const api = processApi.enhanceEndpoints({
  addTagTypes: ["Files", "ResultFeedback", "Results", "Statistics"],
  endpoints: {
    processListFiles: { providesTags: ["Files"] },
    processFileDetail: { providesTags: ["Files"] },
    // A poll that fails is tried again by itself; a toast each time would help nobody.
    processGetModelStatus: { extraOptions: { silent: true } },
    processGetProgress: { extraOptions: { silent: true } },
    // The upload reports its failure in words of its own; the shared toast would repeat it.
    processModelChecking: { extraOptions: { silent: true }, invalidatesTags: ["Files", "Statistics"] },
    processUpdateModelFile: { invalidatesTags: ["Files"] },
    processModelRelease: { invalidatesTags: ["Files"] },
    processDeleteFile: { invalidatesTags: ["Files", "Statistics"] },
    processRetryCheck: { invalidatesTags: ["Files"] },
    processCardList: { providesTags: ["Results"] },
    processServiceDetail: { providesTags: ["Results"] },
    processSubmit: { invalidatesTags: ["Results", "Statistics"] },
    processHasBeenSubmittedFeedback: { providesTags: ["ResultFeedback"], extraOptions: { silent: true } },
    processMyResultFeedback: { providesTags: ["ResultFeedback"], extraOptions: { silent: true } },
    processSaveOrUpdateUserFeedback: { invalidatesTags: ["ResultFeedback"] },
    processDeleteResult: { invalidatesTags: ["Results", "Statistics"] },
  },
});

export const {
  useProcessCardListQuery,
  useProcessDeleteFileMutation,
  useProcessDeleteResultMutation,
  useProcessDownloadModelFileMutation,
  useProcessFileDetailQuery,
  useProcessGetFileMaxSizeQuery,
  useProcessGetLabelCateListByCateTypeQuery,
  useProcessGetLabelObjectListByParentIdQuery,
  useProcessGetProgressQuery,
  useProcessHasBeenSubmittedFeedbackQuery,
  useProcessListFilesQuery,
  useProcessModelReleaseMutation,
  useProcessMyResultFeedbackQuery,
  useProcessRetryCheckMutation,
  useProcessSaveOrUpdateUserFeedbackMutation,
  useProcessServiceDetailQuery,
  useProcessSubmitMutation,
  useProcessUpdateModelFileMutation,
} = api;

/** For calls outside components. */
export const processEndpoints = api.endpoints;
export const invalidateProcess = api.util.invalidateTags;
