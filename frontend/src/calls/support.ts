import { personalApi } from "@/api/generated/personal";

export type * from "@/api/generated/personal";

/** Applications for asset management, feedback, the chat with the support, points: the calls with their tags. */
const api = personalApi.enhanceEndpoints({
  addTagTypes: ["Chat", "Feedback", "Points"],
  endpoints: {
    personalSubmitFeedback: { invalidatesTags: ["Feedback"] },
    personalMyFeedback: { providesTags: ["Feedback"], extraOptions: { background: true } },
    personalChatLines: { extraOptions: { background: true } },
    personalIsSubmitted: { keepUnusedDataFor: 0, extraOptions: { silent: true } },
    personalIntegralInfo: { providesTags: ["Points"], extraOptions: { background: true } },
  },
});

export const {
  usePersonalChatLinesMutation,
  usePersonalIntegralInfoQuery,
  usePersonalIsSubmittedQuery,
  usePersonalMyFeedbackQuery,
  usePersonalSaveApplicationRecordMutation,
  usePersonalSendChatMutation,
  usePersonalSubmitFeedbackMutation,
} = api;
