import { useCallback, useMemo, useRef, useState } from "react";

export interface Captcha {
  /** The verification flag: a fresh pass is at hand. */
  passed: boolean;
  /** The puzzle is on the screen. */
  open: boolean;
  /** Shows the puzzle; `then` goes on with the ticket once it is passed. */
  demand: (then?: (ticket: string) => void) => void;
  /** Hands out the one-use ticket and lowers the flag; empty without one. */
  take: () => string;
  /** Forgets a pass: the puzzle is back in its start state. */
  reset: () => void;
  /** For the puzzle itself. */
  pass: (ticket: string) => void;
  dismiss: () => void;
}

/** The verification flag of one form, and whoever waits for it. */
export function useCaptcha(): Captcha {
  const [ticket, setTicket] = useState("");
  const [open, setOpen] = useState(false);
  const held = useRef("");
  const waiting = useRef<((ticket: string) => void) | undefined>(undefined);

  const hold = useCallback((value: string) => {
    held.current = value;
    setTicket(value);
  }, []);
  const demand = useCallback((then?: (ticket: string) => void) => {
    waiting.current = then;
    setOpen(true);
  }, []);
  const take = useCallback(() => {
    const value = held.current;
    hold("");
    return value;
  }, [hold]);
  const reset = useCallback(() => hold(""), [hold]);
  const pass = useCallback(
    (value: string) => {
      setOpen(false);
      const next = waiting.current;
      waiting.current = undefined;
      if (next) next(value);
      else hold(value);
    },
    [hold],
  );
  const dismiss = useCallback(() => {
    waiting.current = undefined;
    setOpen(false);
  }, []);

  return useMemo(
    () => ({ passed: ticket !== "", open, demand, take, reset, pass, dismiss }),
    [ticket, open, demand, take, reset, pass, dismiss],
  );
}
