import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { heard, tokenRefused } from "../api/events";

/** Who works here, as the server says. */
export interface Operator {
  id: string;
  /** Name that the operator signs in with. */
  name: string;
  /** Titles of the roles. */
  roles: string[];
  permissions: string[];
  /** Of the site, as `site.environment` says; empty for who may not read settings. */
  environment: string;
  /** When the session ends however busy it is, in milliseconds since 1970. */
  expiresAt: number;
  /** Recovery codes that are left. */
  recoveryCodes: number;
  /** Minutes without a call after which the server ends the session. */
  idleMinutes: number;
}

/** Why the operator sees the sign-in page. */
export type Ended = "idle" | "expired" | "left";

export interface SessionState {
  phase: "asking" | "out" | "in";
  operator?: Operator;
  ended?: Ended;
  /** When the server last heard us. */
  heardAt: number;
}

const initialState: SessionState = { phase: "asking", heardAt: 0 };

const slice = createSlice({
  name: "session",
  initialState,
  reducers: {
    entered(state, { payload }: PayloadAction<Operator>) {
      state.phase = "in";
      state.operator = payload;
      state.ended = undefined;
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
        // On the first question the token is simply old.
        state.ended = "expired";
        state.phase = "out";
        state.operator = undefined;
      });
  },
});

export const { entered, left } = slice.actions;
export const sessionReducer = slice.reducer;

const sessionOf = (state: { session: SessionState }) => state.session;

export const useSession = (): SessionState => useSelector(sessionOf);

/** The operator; only pages within the frame may ask, which are drawn for one. */
export function useOperator(): Operator {
  const { operator } = useSession();
  if (!operator) throw new Error("no operator is signed in");
  return operator;
}

/** Of the built-in role. */
const EVERYTHING = "*";

/** Whether somebody with these permissions may do what needs `permission`. */
export const permits = (operator: Operator, permission: string | undefined): boolean =>
  permission === undefined || operator.permissions.some((held) => held === permission || held === EVERYTHING);

/** Answers for the operator at hand; what he may not do is not offered. The server decides in any case. */
export function useMay(): (permission: string | undefined) => boolean {
  const operator = useOperator();
  return (permission) => permits(operator, permission);
}
