import type { AuthDialogStep } from "@/session/dialog";
import type { TokenReply } from "@/session/token";

/** What every form of the dialog may do with its surroundings. */
export interface FormProps {
  /** Number carried over from the form before. */
  phone: string;
  go: (step: AuthDialogStep, phone?: string) => void;
  /** A token call succeeded. */
  onToken: (reply: TokenReply, next?: AuthDialogStep) => void;
}
