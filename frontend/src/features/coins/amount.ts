import { RECHARGE_MAX, RECHARGE_MIN } from "@/facts/shop";
import { centsOf } from "@/lib/yuan";
import { shopMessages } from "@/messages/shop";
import { formatCents } from "@/ui/Price";

/** Why an amount cannot be recharged; undefined if it can. */
export function amountProblem(yuan: string): string | undefined {
  const cents = centsOf(yuan);
  if (cents === undefined || cents === 0) return shopMessages.amountRequired;
  if (cents < RECHARGE_MIN || cents > RECHARGE_MAX)
    return shopMessages.amountRange(formatCents(RECHARGE_MIN), formatCents(RECHARGE_MAX));
  return undefined;
}
