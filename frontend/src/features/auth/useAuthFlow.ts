import { useCallback } from "react";
import { authMessages } from "@/messages/auth";
import { enterSession } from "@/session/actions";
import type { AuthDialogStep } from "@/session/dialog";
import type { TokenReply } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";

/** Starts the session of a token call, confirms it and goes on. */
export function useAuthFlow(
  go: (step: AuthDialogStep, phone?: string) => void,
  onDone: () => void,
): (reply: TokenReply, next?: AuthDialogStep) => void {
  const dispatch = useAppDispatch();
  return useCallback(
    (reply, next) => {
      dispatch(enterSession(reply));
      toast.success(authMessages.signedIn);
      if (next) go(next);
      else onDone();
    },
    [dispatch, go, onDone],
  );
}
