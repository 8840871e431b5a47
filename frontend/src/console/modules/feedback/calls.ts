import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** The calls about feedback, with what makes their caches stale. */
export const feedbackApi = personalApi.enhanceEndpoints({
  addTagTypes: ["Feedback", "Feedbacks"],
  endpoints: {
    personalFeedbackList: { providesTags: ["Feedbacks"] },
    personalFeedbackShow: { providesTags: ["Feedback"] },
    personalFeedbackAnswer: { invalidatesTags: ["Feedback", "Feedbacks"] },
    personalFeedbackClose: { invalidatesTags: ["Feedback", "Feedbacks"] },
  },
});

export const {
  usePersonalFeedbackListQuery: useFeedbacks,
  usePersonalFeedbackShowQuery: useFeedback,
  usePersonalFeedbackAnswerMutation: useAnswer,
  usePersonalFeedbackCloseMutation: useClose,
} = feedbackApi;

/** A part of one of its files: a look that stands in the log. */
export const readPart = (id: string, number: number) => (offset: number) =>
  runQuery(
    feedbackApi.endpoints.personalFeedbackFile.initiate(
      { id, number, offset },
      { forceRefetch: true, subscribe: false },
    ),
  );
