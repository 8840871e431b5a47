import type { AuthDialogStep } from "@/session/dialog";
import type { TokenReply } from "@/session/token";
import type { FactorRequest } from "./factor";
import type { CardMemory } from "./useCardMemory";

/** What the dialog provides to each of its forms. */
export interface FormProps {
  memory: CardMemory;
  go: (step: AuthDialogStep, phone?: string) => void;
  /** A token call succeeded. */
  onToken: (reply: TokenReply, next?: AuthDialogStep) => void;
}

/** A form of the login step, which may continue with the second factor. */
export interface LoginFormProps extends FormProps {
  onFactor: (request: FactorRequest) => void;
}
