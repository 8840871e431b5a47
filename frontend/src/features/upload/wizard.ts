import type { ModelType } from "@/transfer/rules";

/** State of the wizard. Pure, so that it can be tested without rendering. */
export interface WizardState {
  step: 1 | 2 | 3;
  tab: ModelType;
  fileId: string | undefined;
  fileName: string;
  checked: boolean;
}

export type WizardEvent =
  | { type: "tab"; tab: ModelType }
  | { type: "checkStarted"; fileId: string; fileName: string }
  | { type: "checkPassed" }
  | { type: "name" }
  | { type: "restart" };

export const wizardStart: WizardState = {
  step: 1,
  tab: "object",
  fileId: undefined,
  fileName: "",
  checked: false,
};

export function wizardReducer(state: WizardState, event: WizardEvent): WizardState {
  switch (event.type) {
    case "tab":
      return state.step === 1 ? { ...state, tab: event.tab } : state;
    case "checkStarted":
      return state.step === 1
        ? { ...state, step: 2, fileId: event.fileId, fileName: event.fileName, checked: false }
        : state;
    case "checkPassed":
      // sent on every render: must not change the state again
      return state.step === 2 && !state.checked ? { ...state, checked: true } : state;
    case "name":
      // only a model that passed its check gets a name
      return state.step === 2 && state.checked ? { ...state, step: 3 } : state;
    case "restart":
      return { ...wizardStart, tab: state.tab };
  }
}

/** Notice needed when the wizard is closed now. */
export function closingNotice(state: WizardState): "none" | "background" | "unnamed" {
  if (state.step === 2 && !state.checked) return "background";
  return state.step === 1 ? "none" : "unnamed";
}
