import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { heard, tokenRefused } from "../api/events";

/** The signed-in operator, from the server. */
export interface Operator {
  id: string;
  /** Sign-in name. */
  name: string;
  /** Titles of the roles. */
  roles: string[];
  permissions: string[];
  /** The site's `site.environment`; empty without the permission to read settings. */
  environment: string;
  /** When the session ends even if active, in milliseconds since 1970. */
  expiresAt: number;
  /** Number of unused recovery codes. */
  recoveryCodes: number;
  /** Minutes without a call after which the server ends the session. */
  idleMinutes: number;
}

/** Why the operator sees the sign-in page. */
export type Ended = "idle" | "expired" | "left" | "unconfirmed";

export interface SessionState {
  /** `failed`: there is a token, but nobody could say to whom it belongs. */
  phase: "asking" | "failed" | "out" | "in";
  operator?: Operator;
  /** When the operator's data were read. */
  knownAt: number;
  ended?: Ended;
  /** Why the phase is `failed`, for the operator. */
  problem?: string;
  /** Time of the server's last response to an accepted token. */
  heardAt: number;
}

const initialState: SessionState = { phase: "asking", heardAt: 0, knownAt: 0 };

const slice = createSlice({
  name: "session",
  initialState,
  reducers: {
    entered: {
      prepare: (operator: Operator) => ({ payload: { operator, at: Date.now() } }),
      reducer(state, { payload: { operator, at } }: PayloadAction<{ operator: Operator; at: number }>) {
        state.phase = "in";
        // An equal operator stays the same object, so that nothing is drawn again.
        if (JSON.stringify(state.operator) !== JSON.stringify(operator)) state.operator = operator;
        state.knownAt = at;
        state.ended = undefined;
        state.problem = undefined;
      },
    },
    asked(state) {
      state.phase = "asking";
    },
    unreachable(state, { payload }: PayloadAction<string>) {
      state.phase = "failed";
      state.problem = payload;
    },
    left(state, { payload }: PayloadAction<Ended | undefined>) {
      state.phase = "out";
      state.operator = undefined;
      state.ended = payload;
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(heard, (state, { payload }) => {
        state.heardAt = payload;
      })
      .addCase(tokenRefused, (state) => {
        if (state.phase === "out") return;
        // On the first call the token has simply expired.
        state.ended = "expired";
        state.phase = "out";
        state.operator = undefined;
      });
  },
});

export const { asked, entered, left, unreachable } = slice.actions;
export const sessionReducer = slice.reducer;

const sessionOf = (state: { session: SessionState }) => state.session;

export const useSession = (): SessionState => useSelector(sessionOf);

/** The operator; only for pages within the frame, which requires one. */
export function useOperator(): Operator {
  const { operator } = useSession();
  if (!operator) throw new Error("no operator is signed in");
  return operator;
}

/** Permission of the built-in role. */
const EVERYTHING = "*";

/** Whether the operator's permissions include `permission`. */
export const permits = (operator: Operator, permission: string | undefined): boolean =>
  permission === undefined || operator.permissions.some((held) => held === permission || held === EVERYTHING);

/** Checks the operator's permissions, so that forbidden actions are not offered. The server checks them in any case. */
export function useMay(): (permission: string | undefined) => boolean {
  const operator = useOperator();
  return (permission) => permits(operator, permission);
}
