import { authEndpoints } from "@/calls/auth";
import type { AppThunk } from "@/store";
import { readToken, writeLogin } from "./cookies";
import { renewing } from "./renewal";
import { parseTokenReply, rememberExpiry } from "./token";

/** Puts a new token in the place of `before`, unless another tab does so first. Returns whether there is one. */
export function renewed(before: string): AppThunk<Promise<boolean>> {
  return (dispatch) =>
    renewing(async () => {
      const now = readToken();
      if (now !== before) return now !== "";
      const call = authEndpoints.refreshToken.initiate({ accessToken: before }, { track: false });
      const reply = parseTokenReply((await dispatch(call)).data);
      // Meanwhile the user may have signed out, or another tab without locks has renewed it.
      const then = readToken();
      if (then !== before) return then !== "";
      if (!reply) return false;
      writeLogin(reply.token, reply.loginId);
      rememberExpiry(reply.expiresIn);
      return true;
    });
}
