import { useMemo } from "react";
import { currentStore } from "@/store/current";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { leaveSession } from "./actions";
import { type AuthDialogType, dialogClosed, dialogOpened } from "./dialog";
import { safeReturnUrl } from "./returnUrl";
import type { SessionState } from "./slice";

export { enterSession, leaveSession, renewToken, syncSession } from "./actions";
export { readLoginId, readToken } from "./cookies";
export type { AuthDialogType } from "./dialog";
export { loginAddress, safeReturnUrl } from "./returnUrl";
export { calledBy, type SessionState, unreadMessagesKnown, unreadMessagesRead } from "./slice";

export type Session = SessionState & { signedIn: boolean };

/** The login state of the current user or visitor. */
export function useSession(): Session {
  const session = useAppSelector((state) => state.session);
  return useMemo(() => ({ ...session, signedIn: session.loginId !== "" }), [session]);
}

/** Signs out: here at once, on the server when the promise resolves. */
export function signOut(): Promise<void> {
  return currentStore().dispatch(leaveSession());
}

export interface AuthDialogControl {
  open: (type: AuthDialogType, options?: { returnURL?: string }) => void;
  close: () => void;
}

/** Opens the login dialog over the current page. */
export function useAuthDialog(): AuthDialogControl {
  const dispatch = useAppDispatch();
  return useMemo(
    () => ({
      open: (type, options) =>
        dispatch(
          dialogOpened({
            step: type,
            returnURL: options?.returnURL ? safeReturnUrl(options.returnURL) : "",
          }),
        ),
      close: () => dispatch(dialogClosed()),
    }),
    [dispatch],
  );
}
