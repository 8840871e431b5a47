import { useMemo, useState } from "react";
import { cleanPhone } from "./rules";
import { type SentCodes, useSentCodes } from "./useSentCodes";

/** What the forms of one card keep for each other: a form is gone when another takes its place. */
export interface CardMemory {
  /** What was last typed as a phone number. */
  phone: string;
  /** What was last typed as an account: a phone number or an address. */
  account: string;
  /** Keeps what is typed into any of these fields, for each of the others that accepts it. */
  typed: (value: string) => void;
  codes: SentCodes;
}

export function useCardMemory(phone: string): CardMemory {
  const [values, setValues] = useState({ phone, account: phone });
  const codes = useSentCodes();
  return useMemo(
    () => ({
      ...values,
      typed: (account) =>
        setValues((before) => ({ account, phone: cleanPhone(account) === account ? account : before.phone })),
      codes,
    }),
    [values, codes],
  );
}

/** For the registration of a field whose value `memory` keeps. */
export const keptIn = (memory?: CardMemory) => ({
  onChange: ({ target }: { target: { value: string } }) => memory?.typed(target.value),
});
