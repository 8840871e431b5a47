import { createAction, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { signedOut } from "./slice";

/** The four types of the login dialog, and the steps that follow a registration. */
export type AuthDialogType = "login" | "register" | "rebuild" | "bindPhone";
export type AuthDialogStep = AuthDialogType | "interest" | "promotion" | "welcome";

export interface AuthDialogState {
  open: boolean;
  step: AuthDialogStep;
  /** Target after signing in; empty: stay. Always a checked address of this site. */
  returnURL: string;
  /** Phone number carried over between forms. */
  phone: string;
}

const initialState: AuthDialogState = { open: false, step: "login", returnURL: "", phone: "" };

/** The popup settings after a registration returned status 1; the popup host listens for it. */
export const popupTriggered = createAction("authDialog/popupTriggered");

const slice = createSlice({
  name: "authDialog",
  initialState,
  reducers: {
    dialogOpened(
      _state,
      { payload }: PayloadAction<{ step: AuthDialogStep; returnURL?: string; phone?: string }>,
    ): AuthDialogState {
      return {
        open: true,
        step: payload.step,
        returnURL: payload.returnURL ?? "",
        phone: payload.phone ?? "",
      };
    },
    stepChanged(state, { payload }: PayloadAction<{ step: AuthDialogStep; phone?: string }>) {
      state.step = payload.step;
      state.phone = payload.phone ?? state.phone;
    },
    dialogClosed(state) {
      state.open = false;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(signedOut, () => initialState);
  },
});

export const { dialogOpened, stepChanged, dialogClosed } = slice.actions;
export const authDialogReducer = slice.reducer;
