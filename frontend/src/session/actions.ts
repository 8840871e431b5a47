import { accountChanged } from "@/api/events";
import type { AppThunk } from "@/store";
import { clearLogin, readLoginId, readToken, writeLogin } from "./cookies";
import { signedIn, signedOut, tokenRenewed } from "./slice";
import { forgetExpiry, rememberExpiry, type TokenReply } from "./token";

/** Not part of the first load: a visitor has no token to end. */
const authCalls = () => import(/* webpackChunkName: "signed-in" */ "@/calls/auth");

/**
 * Enters the session of a token response: cookies first, then the state. Returns false in a browser that keeps no cookies, in which
 * nobody can be signed in.
 */
export function enterSession(reply: TokenReply): AppThunk<boolean> {
  return (dispatch) => {
    writeLogin(reply.token, reply.loginId);
    if (readToken() !== reply.token) return false;
    rememberExpiry(reply.expiresIn);
    dispatch(signedIn({ token: reply.token, loginId: reply.loginId }));
    return true;
  };
}

/** Synchronises the state with the cookies: at start, and when another tab signed in or out. */
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

/**
 * Ends the session here at once, then on the server, which may be slow or unreachable. A page that shows another account than the cookies
 * name ends nothing: it shows that account first.
 */
export function leaveSession(): AppThunk<Promise<void>> {
  return async (dispatch, getState) => {
    const login = { token: readToken(), loginId: readLoginId() };
    const shown = getState().session.loginId;
    if (shown && login.loginId && login.loginId !== shown) {
      dispatch(accountChanged());
      return;
    }
    clearLogin();
    forgetExpiry();
    dispatch(signedOut());
    if (!login.token) return;
    // Where the calls fail to load, the session ends by itself later.
    const calls = await authCalls().catch(() => undefined);
    await calls?.logoutFor(login);
  };
}

/**
 * Renews the token, or takes the one of another tab that renewed it meanwhile. Returns false on failure; the old one then stays
 * valid until it expires.
 */
export function renewToken(): AppThunk<Promise<boolean>> {
  return async (dispatch) => {
    const before = readToken();
    if (!before) return false;
    const loaded = await import(/* webpackChunkName: "signed-in" */ "./renew").catch(() => undefined);
    const renewed = loaded !== undefined && (await dispatch(loaded.renewed(before)));
    if (renewed) dispatch(syncSession());
    return renewed;
  };
}
