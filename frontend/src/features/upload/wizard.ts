import type { ModelType } from "@/transfer/rules";

/** Where the wizard stands. Pure, so that its course can be tested without a screen. */
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
      // told with every render: the same state again must be no change
      return state.step === 2 && !state.checked ? { ...state, checked: true } : state;
    case "name":
      // a model whose check has failed, or still runs, has nothing to be named for
      return state.step === 2 && state.checked ? { ...state, step: 3 } : state;
    case "restart":
      return { ...wizardStart, tab: state.tab };
  }
}

/** What closing the wizard now means for the user. */
export function closingNotice(state: WizardState): "none" | "background" | "unnamed" {
  if (state.step === 2 && !state.checked) return "background";
  return state.step === 1 ? "none" : "unnamed";
}
