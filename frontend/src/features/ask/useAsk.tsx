import { lazy, type ReactNode, Suspense, useState } from "react";
import { getConfig } from "@/api/config";
import { useAuthDialog, useSession } from "@/session";
import { safeHref } from "@/ui/safeHref";

const FeedbackDialog = lazy(() =>
  import(/* webpackChunkName: "feedback" */ "@/features/feedback").then((module) => ({
    default: module.FeedbackDialog,
  })),
);
const ChatDialog = lazy(() =>
  import(/* webpackChunkName: "support-chat" */ "@/features/support").then((module) => ({
    default: module.ChatDialog,
  })),
);

/** Opens a chat with the operators or the feedback form; the caller must render `dialogs`. */
export interface Ask {
  chat: () => void;
  feedback: () => void;
  dialogs: ReactNode;
}

/** Visitors sign in first. A configured external chat replaces our own. */
export function useAsk(): Ask {
  const chatUrl = safeHref(getConfig().chatUrl);
  const { signedIn, loginId } = useSession();
  const auth = useAuthDialog();
  const [dialog, setDialog] = useState<"chat" | "feedback">();
  const open = (which: "chat" | "feedback") => (signedIn ? setDialog(which) : auth.open("login"));
  const close = () => setDialog(undefined);
  return {
    chat: () => (chatUrl ? void window.open(chatUrl, "_blank", "noopener") : open("chat")),
    feedback: () => open("feedback"),
    // Resets the dialog when the user changes.
    dialogs: dialog && signedIn && (
      <Suspense key={loginId} fallback={null}>
        {dialog === "chat" ? <ChatDialog onClose={close} /> : <FeedbackDialog onClose={close} />}
      </Suspense>
    ),
  };
}
