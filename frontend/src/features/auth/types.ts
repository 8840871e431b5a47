import type { AuthDialogStep } from "@/session/dialog";
import type { TokenReply } from "@/session/token";

/** What the dialog provides to each of its forms. */
export interface FormProps {
  /** Number carried over from the previous form. */
  phone: string;
  go: (step: AuthDialogStep, phone?: string) => void;
  /** A token call succeeded. */
  onToken: (reply: TokenReply, next?: AuthDialogStep) => void;
}

/** The account has a second factor, which was missing or wrong. */
export const FACTOR_NEEDED = 60206;

/** A sign-in whose first factor was accepted. */
export interface FactorRequest {
  /** Repeats the call with the second factor. */
  send: (totp: string) => Promise<{ data?: unknown; error?: unknown }>;
}

/** The ticket in a 60206 response, to be sent instead of the slider's ticket. */
export function factorTicketOf(error: unknown): string {
  const datas = (error as { datas?: { factorTicket?: unknown } } | undefined)?.datas;
  return typeof datas?.factorTicket === "string" ? datas.factorTicket : "";
}

/** A form of the login step, which may continue with the second factor. */
export interface LoginFormProps extends FormProps {
  onFactor: (request: FactorRequest) => void;
}
