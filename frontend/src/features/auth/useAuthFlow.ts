import { useCallback } from "react";
import { authMessages } from "@/messages/auth";
import { enterSession } from "@/session/actions";
import type { AuthDialogStep } from "@/session/dialog";
import type { TokenReply } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";
import { keepStep } from "./afterRegistration";

/** Starts the session of a token call, confirms it and goes on. */
export function useAuthFlow(
  go: (step: AuthDialogStep, phone?: string) => void,
  onDone: () => void,
): (reply: TokenReply, next?: AuthDialogStep) => void {
  const dispatch = useAppDispatch();
  return useCallback(
    (reply, next) => {
      // First: another account's page is drawn anew.
      if (next) keepStep(next, reply.loginId);
      if (!dispatch(enterSession(reply))) {
        toast.error(authMessages.cookiesBlocked);
        return;
      }
      toast.success(authMessages.signedIn);
      if (next) go(next);
      else onDone();
    },
    [dispatch, go, onDone],
  );
}
