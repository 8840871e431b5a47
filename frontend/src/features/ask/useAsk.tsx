import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
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

type Asked = "chat" | "feedback" | "myFeedback";

/** Opens a chat with the operators or the feedback form; the caller must render `dialogs`. */
export interface Ask {
  chat: () => void;
  feedback: () => void;
  /** Opens one of our own dialogs; false: sign in first. */
  open: (which: Asked) => boolean;
  dialogs: ReactNode;
}

/** Address of the configured external chat, which replaces our own. */
const externalChat = () => safeHref(getConfig().chatUrl);

/** Visitors sign in first. */
export function useAsk(): Ask {
  const chatUrl = externalChat();
  const { signedIn, loginId } = useSession();
  const auth = useAuthDialog();
  const [dialog, setDialog] = useState<Asked>();
  const open = useCallback(
    (which: Asked) => {
      if (signedIn) setDialog(which);
      else auth.open("login");
      return signedIn;
    },
    [signedIn, auth],
  );
  const close = () => setDialog(undefined);
  return {
    chat: () => (chatUrl ? void window.open(chatUrl, "_blank", "noopener") : open("chat")),
    feedback: () => open("feedback"),
    open,
    // Resets the dialog when the user changes.
    dialogs: dialog && signedIn && (
      <Suspense key={loginId} fallback={null}>
        {dialog === "chat" ? (
          <ChatDialog onClose={close} />
        ) : (
          <FeedbackDialog mine={dialog === "myFeedback"} onClose={close} />
        )}
      </Suspense>
    ),
  };
}
