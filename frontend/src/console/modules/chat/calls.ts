import { personalApi } from "../../api/generated/personal";

/** The calls about conversations, with what makes their caches stale. */
export const chatApi = personalApi.enhanceEndpoints({
  addTagTypes: ["Chat", "Chats"],
  endpoints: {
    personalChatList: { providesTags: ["Chats"] },
    personalChatConversation: { providesTags: ["Chat"] },
    personalChatAnswer: { invalidatesTags: ["Chat", "Chats"] },
    personalChatClose: { invalidatesTags: ["Chat", "Chats"] },
  },
});

export const {
  usePersonalChatListQuery: useChats,
  usePersonalChatConversationQuery: useConversation,
  usePersonalChatAnswerMutation: useAnswer,
  usePersonalChatCloseMutation: useClose,
} = chatApi;
