import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useDispatch } from "react-redux";
import { keepDevice, readDevice } from "../api/device";
import { type ConsoleError, messageOf } from "../api/envelope";
import { type AuthOperatorMeReply, authApi } from "../api/generated/auth";
import { keepToken, readToken } from "../api/token";
import { asked, entered, left, type Operator, permits, type SessionState, unreachable } from "./slice";

// biome-ignore lint/suspicious/noExplicitAny: the areas extend the store's state
export type ConsoleDispatch = ThunkDispatch<any, unknown, UnknownAction>;
export const useConsoleDispatch = (): ConsoleDispatch => useDispatch<ConsoleDispatch>();

/** Minutes without a call after which the server ends a session. */
export const IDLE_MINUTES = 30;

const FRESH = { forceRefetch: true, subscribe: false } as const;

/** The operator to whom the token belongs; the environment does not change while the site runs. */
async function whoAmI(dispatch: ConsoleDispatch, known = ""): Promise<Operator> {
  const me: AuthOperatorMeReply = await dispatch(authApi.endpoints.operatorMe.initiate({}, FRESH)).unwrap();
  const operator: Operator = { ...me, environment: known, idleMinutes: IDLE_MINUTES };
  if (known || !permits(operator, "setting.read")) return operator;
  // The frame shows the environment; without a response it shows none.
  const settings = await dispatch(authApi.endpoints.runningSettings.initiate({}, FRESH))
    .unwrap()
    .catch(() => undefined);
  const environment = settings?.settings.find(({ name }) => name === "site.environment")?.value ?? "";
  return { ...operator, environment };
}

/** Resumes the session of this tab, if it has one. Only the server's word ends it: a failure may be tried again. */
export const resume = () => async (dispatch: ConsoleDispatch) => {
  if (!readToken()) {
    dispatch(left(undefined));
    return;
  }
  dispatch(asked());
  try {
    dispatch(entered(await whoAmI(dispatch)));
  } catch (error) {
    if (readToken()) dispatch(unreachable(messageOf(error)));
  }
};

/** Data of the operator older than this are read again when the operator goes on, in milliseconds. */
export const KNOWN_MS = 5_000;

/**
 * Reads the operator again: a colleague may have changed the roles. A failure changes nothing.
 *
 * @param age of the known data, in milliseconds, up to which they are good enough
 */
export const refreshOperator =
  (age = 0) =>
  async (dispatch: ConsoleDispatch, getState: () => { session: SessionState }) => {
    const { phase, operator, knownAt } = getState().session;
    if (phase !== "in" || Math.abs(Date.now() - knownAt) < age) return;
    const token = readToken();
    const now = await whoAmI(dispatch, operator?.environment).catch(() => undefined);
    if (now && token === readToken() && getState().session.phase === "in") dispatch(entered(now));
  };

export function useSignIn() {
  const dispatch = useConsoleDispatch();
  return async (given: { name: string; password: string; code: string }): Promise<void> => {
    const asked = authApi.endpoints.operatorSignIn.initiate({ ...given, device: readDevice() });
    const { token, device } = await dispatch(asked).unwrap();
    keepToken(token);
    keepDevice(device);
    await dispatch(resume());
  };
}

/** Notifies the server; the page drops the session even if that fails, and says so. */
export function useSignOut() {
  const dispatch = useConsoleDispatch();
  return async (): Promise<void> => {
    const { error } = await dispatch(authApi.endpoints.operatorSignOut.initiate({}));
    const isOver = !error || (error as Partial<ConsoleError>).status === 401;
    dispatch(left(isOver ? "left" : "unconfirmed"));
  };
}

/** A call that only extends the session. */
export function useStay() {
  const dispatch = useConsoleDispatch();
  return async (): Promise<void> => {
    await dispatch(authApi.endpoints.operatorMe.initiate({}, FRESH));
  };
}

export function useReconfirm() {
  const dispatch = useConsoleDispatch();
  return async (code: string): Promise<void> => {
    await dispatch(authApi.endpoints.operatorConfirm.initiate({ code })).unwrap();
  };
}

export interface Invitation {
  name: string;
  /** Secret of the authenticator, for typing it in. */
  secret: string;
  /** The same as an otpauth URI. */
  uri: string;
  expiresAt: number;
}

/** A one-use link: its details, and enrolling with it. */
export function useEnrolment() {
  const dispatch = useConsoleDispatch();
  return {
    show: (link: string): Promise<Invitation> =>
      dispatch(authApi.endpoints.operatorEnrolment.initiate({ link }, FRESH)).unwrap(),
    finish: async (link: string, password: string, code: string): Promise<readonly string[]> => {
      const { recoveryCodes } = await dispatch(
        authApi.endpoints.operatorEnrol.initiate({ link, password, code }),
      ).unwrap();
      return recoveryCodes;
    },
  };
}
