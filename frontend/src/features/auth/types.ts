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

/** The account has a second factor, which was absent or wrong. */
export const FACTOR_NEEDED = 60206;

/** A sign-in whose first factor was right. */
export interface FactorRequest {
  /** Makes the same call again with the second one. */
  send: (totp: string) => Promise<{ data?: unknown; error?: unknown }>;
}

/** What the answer 60206 carries, to be sent along in place of the slider's ticket. */
export function factorTicketOf(error: unknown): string {
  const datas = (error as { datas?: { factorTicket?: unknown } } | undefined)?.datas;
  return typeof datas?.factorTicket === "string" ? datas.factorTicket : "";
}

/** A form of the login step hands over to the second factor. */
export interface LoginFormProps extends FormProps {
  onFactor: (request: FactorRequest) => void;
}
