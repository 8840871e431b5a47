import { apiErrorOf, codeOf } from "@/api";

/** The account has a second factor, which was missing or wrong. */
export const FACTOR_NEEDED = 60206;

interface SignIn {
  data?: unknown;
  error?: unknown;
}

/** A sign-in whose first factor was accepted. */
export interface FactorRequest {
  /** Repeats the call with the second factor. `data` is that of a token call. */
  send: (totp: string) => Promise<SignIn>;
}

/** The ticket in a 60206 response, to be sent instead of what the first factor has used up. */
function ticketOf(error: unknown): string {
  const known = apiErrorOf(error);
  const datas = known && known.kind !== "network" ? (known.datas as { factorTicket?: unknown } | null) : null;
  return typeof datas?.factorTicket === "string" ? datas.factorTicket : "";
}

/**
 * What goes on after a sign-in was refused for its second factor; undefined if that was not the reason. `again` makes the same
 * call with what is added here. The step replaces the form, so `again` must outlive it.
 */
export function factorRequest(
  error: unknown,
  again: (second: { totp: string; factorTicket: string }) => Promise<SignIn>,
): FactorRequest | undefined {
  if (codeOf(error) !== FACTOR_NEEDED) return undefined;
  let factorTicket = ticketOf(error);
  return {
    send: async (totp) => {
      const answer = await again({ totp, factorTicket });
      factorTicket = ticketOf(answer.error) || factorTicket;
      return answer;
    },
  };
}
