import type { AppThunk } from "@/store";
import { clearLogin, readLoginId, readToken, writeLogin } from "./cookies";
import { signedIn, signedOut, tokenRenewed } from "./slice";
import { forgetExpiry, parseTokenReply, rememberExpiry, type TokenReply } from "./token";

/** Not part of the first load: a visitor has no token to renew or to end. */
const authCalls = () => import(/* webpackChunkName: "signed-in" */ "@/calls/auth");

/** Takes up a session from the answer of a token call: cookies first, then the state. */
export function enterSession(reply: TokenReply): AppThunk {
  return (dispatch) => {
    writeLogin(reply.token, reply.loginId);
    rememberExpiry(reply.expiresIn);
    dispatch(signedIn({ token: reply.token, loginId: reply.loginId }));
  };
}

/** Brings the state in line with the cookies: at start, and when another tab signed in or out. */
export function syncSession(): AppThunk {
  return (dispatch, getState) => {
    const token = readToken();
    const loginId = readLoginId();
    const { session } = getState();
    if (!token || !loginId) {
      if (session.loginstate) dispatch(signedOut());
      return;
    }
    if (session.loginId !== loginId) dispatch(signedIn({ token, loginId }));
    else if (session.authorization !== token) dispatch(tokenRenewed(token));
  };
}

/** Ends the session on the server, then here. A server that cannot be reached does not keep a user in. */
export function leaveSession(): AppThunk<Promise<void>> {
  return async (dispatch) => {
    try {
      const { authEndpoints } = await authCalls();
      await dispatch(authEndpoints.logout.initiate({}, { track: false }));
    } catch {
      // The calls could not be loaded; whoever wants to leave leaves all the same.
    }
    clearLogin();
    forgetExpiry();
    dispatch(signedOut());
  };
}

/** Swaps the token for a new one. Returns false when that failed; the old one then lives to its end. */
export function renewToken(): AppThunk<Promise<boolean>> {
  return async (dispatch) => {
    const before = readToken();
    if (!before) return false;
    const calls = await authCalls().catch(() => undefined);
    if (!calls) return false;
    const answer = await dispatch(
      calls.authEndpoints.refreshToken.initiate({ accessToken: before }, { track: false }),
    );
    const reply = parseTokenReply(answer.data);
    // Another tab may have renewed it, or the user may have left, in the meantime.
    if (!reply || readToken() !== before) return false;
    writeLogin(reply.token, reply.loginId);
    rememberExpiry(reply.expiresIn);
    dispatch(tokenRenewed(reply.token));
    return true;
  };
}
