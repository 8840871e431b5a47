import { createAction } from "@reduxjs/toolkit";
import { slice } from "@/store/slice";
import { signedOut } from "./slice";

/** The four types of the login dialog, and the two steps that follow a registration. */
export type AuthDialogType = "login" | "register" | "rebuild" | "bindPhone";
export type AuthDialogStep = AuthDialogType | "promotion" | "welcome";

export interface AuthDialogState {
  open: boolean;
  step: AuthDialogStep;
  /** Where to go after signing in; empty: stay. Always a checked address of this site. */
  returnURL: string;
  /** Phone number carried from one form to the next. */
  phone: string;
}

const initialState: AuthDialogState = { open: false, step: "login", returnURL: "", phone: "" };

/** The popup settings after a registration answered status 1: whoever shows popups may listen. */
export const popupTriggered = createAction("authDialog/popupTriggered");

type Opening = { step: AuthDialogStep; returnURL?: string; phone?: string };

const { actions, reducer } = slice(
  "authDialog",
  initialState,
  {
    dialogOpened: (_state, { step, returnURL = "", phone = "" }: Opening): AuthDialogState => ({
      open: true,
      step,
      returnURL,
      phone,
    }),
    stepChanged: (state, to: { step: AuthDialogStep; phone?: string }): AuthDialogState => ({
      ...state,
      step: to.step,
      phone: to.phone ?? state.phone,
    }),
    dialogClosed: (state): AuthDialogState => ({ ...state, open: false }),
  },
  (state, action) => (signedOut.match(action) ? initialState : state),
);

export const { dialogOpened, stepChanged, dialogClosed } = actions;
export const authDialogReducer = reducer;
