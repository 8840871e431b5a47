import { useMemo, useState } from "react";
import { RESEND_SECONDS } from "@/facts/auth";
import type { AuthDialogType } from "@/session/dialog";

interface OfPurpose {
  /** When the next one may be sent, in ms since the epoch. */
  nextAt: number;
  /** The keys of the codes, by the number they were sent to. */
  keys: Record<string, string>;
}

const NONE: OfPurpose = { nextAt: 0, keys: {} };

/** The codes that were sent: each is good for one number and one purpose. */
export interface SentCodes {
  of: (purpose: AuthDialogType) => OfPurpose;
  sent: (purpose: AuthDialogType, phone: string, key: string) => void;
  /** The server sent none: another may be asked for at once. */
  refused: (purpose: AuthDialogType) => void;
}

export function useSentCodes(): SentCodes {
  const [codes, setCodes] = useState<Partial<Record<AuthDialogType, OfPurpose>>>({});
  return useMemo(() => {
    const change = (purpose: AuthDialogType, next: (before: OfPurpose) => OfPurpose) =>
      setCodes((all) => ({ ...all, [purpose]: next(all[purpose] ?? NONE) }));
    return {
      of: (purpose) => codes[purpose] ?? NONE,
      sent: (purpose, phone, key) =>
        change(purpose, ({ keys }) => ({
          nextAt: Date.now() + RESEND_SECONDS * 1000,
          keys: { ...keys, [phone]: key },
        })),
      refused: (purpose) => change(purpose, ({ keys }) => ({ nextAt: 0, keys })),
    };
  }, [codes]);
}
