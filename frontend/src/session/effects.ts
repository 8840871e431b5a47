import { isAnyOf } from "@reduxjs/toolkit";
import { accountChanged, unauthorized } from "@/api/events";
import { later } from "@/lib/later";
import { currentPath, leaveFor } from "@/lib/navigation";
import { failureMessages } from "@/messages/failures";
import type { QueueConnection } from "@/realtime/client";
import { connectionChanged } from "@/realtime/slice";
import type { AppDispatch, AppStartListening } from "@/store";
import { resetCalls } from "@/store/calls";
import { toast } from "@/ui/toast";
import { renewToken, syncSession } from "./actions";
import { clearLogin, readLoginId, readToken } from "./cookies";
import { ended } from "./ended";
import { loginAddress } from "./returnUrl";
import { signedInCalls } from "./signedInCalls";
import { signedIn, signedOut, tokenRenewed } from "./slice";
import { forgetExpiry, renewDelay } from "./token";

/** Delay before a failed renewal is retried. */
const RENEW_RETRY_MS = 60_000;

/** Opens the user's queue. Its client is loaded only now: visitors never need it. */
function subscribe(dispatch: AppDispatch, loginId: string): QueueConnection {
  let closed = false;
  let connection: QueueConnection | undefined;
  const open = async () => {
    await later();
    const { openUserQueue } = await import("./queue");
    if (!closed) connection = dispatch(openUserQueue(loginId));
  };
  // Without push the pages poll, so a failed load of the client is no problem.
  open().catch(() => dispatch(connectionChanged(false)));
  return {
    close: () => {
      closed = true;
      connection?.close();
    },
  };
}

/** Configuration of the session. */
export interface SessionRules {
  /** Whether a response of 401 on the page at this path sends the visitor to sign-in. */
  isPrivatePath: (path: string) => boolean;
}

/** Effects of signing in and out: loads, the queue, renewal, redirects. */
export function startSessionEffects(
  startListening: AppStartListening,
  { isPrivatePath }: SessionRules,
): void {
  let queue: QueueConnection | undefined;
  let timer: number | undefined;

  const scheduleRenewal = (dispatch: AppDispatch, delay = renewDelay()) => {
    window.clearTimeout(timer);
    if (delay === undefined) return;
    timer = window.setTimeout(async () => {
      const left = renewDelay();
      if (left) {
        // Another tab has renewed it since.
        dispatch(syncSession());
        scheduleRenewal(dispatch, left);
        return;
      }
      const renewed = await dispatch(renewToken());
      if (!renewed && readToken()) scheduleRenewal(dispatch, Math.max(renewDelay() ?? 0, RENEW_RETRY_MS));
    }, delay);
  };

  const stop = () => {
    queue?.close();
    queue = undefined;
    window.clearTimeout(timer);
  };

  startListening({
    actionCreator: signedIn,
    effect: ({ payload }, { dispatch }) => {
      stop();
      // The caches contain data of a visitor or of another user.
      resetCalls(dispatch);
      queue = subscribe(dispatch, payload.loginId);
      scheduleRenewal(dispatch);
      signedInCalls().then(
        ({ loadUser }) => loadUser(dispatch, payload.loginId),
        // Each page loads its own data anyway.
        () => undefined,
      );
    },
  });

  startListening({
    actionCreator: tokenRenewed,
    effect: (_action, { dispatch }) => scheduleRenewal(dispatch),
  });

  startListening({
    actionCreator: accountChanged,
    effect: (_action, { dispatch, getState }) => {
      // Of several such calls, the first one has done it.
      if (getState().session.loginId === readLoginId()) return;
      toast.warning(failureMessages.otherAccount);
      dispatch(syncSession());
    },
  });

  startListening({
    matcher: isAnyOf(signedOut, unauthorized),
    effect: (action, { dispatch, getOriginalState }) => {
      stop();
      clearLogin();
      forgetExpiry();
      // A visitor's caches contain no private data; emptying them would only make an open page send its calls again,
      // and be refused again, in an endless loop.
      const wasSignedIn = getOriginalState().session.loginId !== "";
      if (wasSignedIn) resetCalls(dispatch);
      const path = currentPath();
      if (!isPrivatePath(path)) return;
      if (signedOut.match(action)) {
        leaveFor({ href: "/", external: false });
        return;
      }
      const target = loginAddress(path);
      if (wasSignedIn && !target.external) ended.mark();
      leaveFor(target);
    },
  });
}
