import { api } from "@/api/api";
import type { AppThunk } from "@/app/store";
import { clearLogin, readLoginId, readToken, writeLogin } from "./cookies";
import { signedIn, signedOut, tokenRenewed } from "./slice";
import { forgetExpiry, parseTokenReply, rememberExpiry, type TokenReply } from "./token";

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
    await dispatch(api.endpoints.authLogout.initiate({}, { track: false }));
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
    const answer = await dispatch(
      api.endpoints.authRefreshToken.initiate({ accessToken: before }, { track: false }),
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
