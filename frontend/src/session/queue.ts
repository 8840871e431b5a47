import { unauthorized } from "@/api/events";
import { type AppUserInfoApiResponse, authApi } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { openQueue, type QueueConnection } from "@/realtime/client";
import { connectionChanged, queueMessage } from "@/realtime/slice";
import type { AppThunk } from "@/store";
import { toast } from "@/ui/toast";
import { syncSession } from "./actions";
import { readToken } from "./cookies";
import { ended } from "./ended";
import { messageReceived } from "./slice";

/** A17 as a question of the page's own, whose answer the page tells in words of its own. */
const { endpoints } = authApi.injectEndpoints({
  endpoints: (build) => ({
    stillSignedIn: build.query<AppUserInfoApiResponse, void>({
      query: () => ({ url: "/api-auth/oauth/appuserinfo", method: "POST", body: {} }),
      extraOptions: { silent: true },
    }),
  }),
});

/** The pages of one server that has refused them all together ask it within this time, in milliseconds. */
const SPREAD_MS = 1_000;

/** Opens the user's queue. When the server refuses it, the page asks whether its login is still good. */
export function openUserQueue(loginId: string): AppThunk<QueueConnection> {
  return (dispatch) => {
    let closed = false;
    let asking = false;
    const ask = async (token: string) => {
      if (asking) return;
      asking = true;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS));
      if (!closed) await dispatch(stillSignedIn(token));
      asking = false;
    };
    const connection = openQueue({
      token: readToken,
      loginId,
      onMessage: (message) => {
        dispatch(queueMessage(message));
        dispatch(messageReceived(message));
      },
      onConnected: (connected) => dispatch(connectionChanged(connected)),
      onRefused: (token) => void ask(token),
    });
    return {
      close: () => {
        closed = true;
        connection.close();
      },
    };
  };
}

/** Ends the login here if the server no longer accepts `token` and nothing has taken its place. */
function stillSignedIn(token: string): AppThunk<Promise<void>> {
  return async (dispatch, getState) => {
    const now = readToken();
    if (now && now !== token) {
      // Renewed, or another account: the next connection is made with that one.
      dispatch(syncSession());
      return;
    }
    const once = { forceRefetch: true, subscribe: false } as const;
    if (now) await dispatch(endpoints.stillSignedIn.initiate(undefined, once));
    // Another tab, which was refused as well, has removed the login already.
    else dispatch(unauthorized());
    // The sign-in page says so itself.
    if (getState().session.loginId === "" && !ended.marked()) toast.warning(authMessages.loginEnded);
  };
}
