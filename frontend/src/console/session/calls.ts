import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useDispatch } from "react-redux";
import { keepDevice, readDevice } from "../api/device";
import { type AuthOperatorMeReply, authApi } from "../api/generated/auth";
import { dropToken, keepToken, readToken } from "../api/token";
import { entered, left, type Operator, permits } from "./slice";

// biome-ignore lint/suspicious/noExplicitAny: the areas extend the store's state
export type ConsoleDispatch = ThunkDispatch<any, unknown, UnknownAction>;
export const useConsoleDispatch = (): ConsoleDispatch => useDispatch<ConsoleDispatch>();

/** Minutes without a call after which the server ends a session. */
export const IDLE_MINUTES = 30;

const FRESH = { forceRefetch: true, subscribe: false } as const;

/** The operator to whom the token belongs. */
async function whoAmI(dispatch: ConsoleDispatch): Promise<Operator> {
  const me: AuthOperatorMeReply = await dispatch(authApi.endpoints.operatorMe.initiate({}, FRESH)).unwrap();
  const operator: Operator = { ...me, environment: "", idleMinutes: IDLE_MINUTES };
  if (!permits(operator, "setting.read")) return operator;
  // The frame shows the environment; without a response it shows none.
  const settings = await dispatch(authApi.endpoints.runningSettings.initiate({}, FRESH))
    .unwrap()
    .catch(() => undefined);
  const environment = settings?.settings.find(({ name }) => name === "site.environment")?.value ?? "";
  return { ...operator, environment };
}

/** Resumes the session of this tab, if it has one. */
export const resume = () => async (dispatch: ConsoleDispatch) => {
  if (!readToken()) {
    dispatch(left(undefined));
    return;
  }
  try {
    dispatch(entered(await whoAmI(dispatch)));
  } catch {
    dispatch(left("expired"));
  }
};

export function useSignIn() {
  const dispatch = useConsoleDispatch();
  return async (given: { name: string; password: string; code: string }): Promise<void> => {
    const asked = authApi.endpoints.operatorSignIn.initiate({ ...given, device: readDevice() });
    const { token, device } = await dispatch(asked).unwrap();
    keepToken(token);
    keepDevice(device);
    try {
      dispatch(entered(await whoAmI(dispatch)));
    } catch (error) {
      dropToken();
      throw error;
    }
  };
}

/** Notifies the server; the page drops the session even if that fails. */
export function useSignOut() {
  const dispatch = useConsoleDispatch();
  return async (): Promise<void> => {
    await dispatch(authApi.endpoints.operatorSignOut.initiate({}));
    dispatch(left("left"));
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
