import { isAnyOf } from "@reduxjs/toolkit";
import { api } from "@/api/api";
import { unauthorized } from "@/api/events";
import { isPrivatePath } from "@/app/access";
import { currentPath, leaveFor } from "@/app/navigation";
import type { AppDispatch, AppStartListening } from "@/app/store";
import type { QueueConnection } from "@/realtime/client";
import { connectionChanged, queueMessage } from "@/realtime/slice";
import { renewToken } from "./actions";
import { clearLogin, readToken } from "./cookies";
import { loginAddress } from "./returnUrl";
import { messageReceived, profileLoaded, signedIn, signedOut, tokenRenewed } from "./slice";
import { forgetExpiry, renewDelay } from "./token";

/** Page size of the cart list. */
export const CART_PAGE_SIZE = 200;
/** After a failed renewal it is tried again this much later. */
const RENEW_RETRY_MS = 60_000;

/** Account, statistics, user info and cart, as after every sign-in. Failures stay in the background. */
async function loadUser(dispatch: AppDispatch): Promise<void> {
  const once = { forceRefetch: true, subscribe: false } as const;
  const [appUser, info] = await Promise.all([
    dispatch(api.endpoints.authAppUserInfo.initiate({}, once)),
    dispatch(api.endpoints.personalQueryInfo.initiate({}, once)),
    dispatch(api.endpoints.personalAccountInformation.initiate({}, once)),
    dispatch(api.endpoints.personalGetPersonalStatisticsByUserId.initiate({}, once)),
    dispatch(api.endpoints.transactionGetCartList.initiate({ pageNo: 1, pageSize: CART_PAGE_SIZE }, once)),
  ]);
  if (appUser.data) dispatch(profileLoaded(appUser.data));
  if (info.data) {
    dispatch(
      profileLoaded({
        avatar: info.data.avatar,
        nickname: info.data.nickName,
        uploaderType: info.data.uploaderType ?? undefined,
      }),
    );
  }
}

/** Opens the user's queue. Its client is loaded only now: a visitor never needs it. */
function subscribe(dispatch: AppDispatch, loginId: string): QueueConnection {
  let closed = false;
  let connection: QueueConnection | undefined;
  const open = async () => {
    const { openQueue } = await import("@/realtime/client");
    if (closed) return;
    connection = openQueue({
      token: readToken,
      loginId,
      onMessage: (message) => {
        dispatch(queueMessage(message));
        dispatch(messageReceived(message));
      },
      onConnected: (connected) => dispatch(connectionChanged(connected)),
    });
  };
  // Without push the pages poll, so a client that could not be loaded stops nothing.
  open().catch(() => dispatch(connectionChanged(false)));
  return {
    close: () => {
      closed = true;
      connection?.close();
    },
  };
}

/** Wires what follows from signing in and out: loads, the queue, renewal, redirects. */
export function startSessionEffects(startListening: AppStartListening): void {
  let queue: QueueConnection | undefined;
  let timer: number | undefined;

  const scheduleRenewal = (dispatch: AppDispatch, delay = renewDelay()) => {
    window.clearTimeout(timer);
    if (delay === undefined) return;
    timer = window.setTimeout(async () => {
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
      // Whatever the caches hold belongs to a visitor or to somebody else.
      dispatch(api.util.resetApiState());
      queue = subscribe(dispatch, payload.loginId);
      scheduleRenewal(dispatch);
      void loadUser(dispatch);
    },
  });

  startListening({
    actionCreator: tokenRenewed,
    effect: (_action, { dispatch }) => scheduleRenewal(dispatch),
  });

  startListening({
    matcher: isAnyOf(signedOut, unauthorized),
    effect: (action, { dispatch, getOriginalState }) => {
      stop();
      clearLogin();
      forgetExpiry();
      // A visitor's caches hold nobody's data; emptying them would only make an open page ask again, and
      // be refused again, without end.
      if (getOriginalState().session.loginId !== "") dispatch(api.util.resetApiState());
      const path = currentPath();
      if (!isPrivatePath(path)) return;
      leaveFor(unauthorized.match(action) ? loginAddress(path) : { href: "/", external: false });
    },
  });
}
