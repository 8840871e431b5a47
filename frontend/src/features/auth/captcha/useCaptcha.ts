import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Kind } from "./useChallenge";

/** A little less than the server's: a pass that is shown must still be good when it arrives. */
const PASS_MS = 280_000;
const FLOW_MS = 870_000;

export interface Captcha {
  /** The verification flag: a pass is at hand, or none was asked for. */
  passed: boolean;
  /** The puzzle is on the screen, beginning with this kind. */
  open: Kind | undefined;
  /** Shows the puzzle; `then` goes on with the ticket once it is passed. */
  demand: (then?: (ticket: string) => void, kind?: Kind) => void;
  /** Hands out the ticket and lowers the flag; empty without one. */
  take: () => string;
  /** The ticket, which stays. */
  held: () => string;
  /** Keeps the pass, or the leave to go on without, for the rest of a registration or recovery. */
  keep: (ticket: string) => void;
  /** Forgets a pass: the puzzle is back in its start state. */
  reset: () => void;
  /** For the puzzle itself. */
  pass: (ticket: string) => void;
  dismiss: () => void;
}

/** The verification flag of one form, and whoever waits for it. */
export function useCaptcha(): Captcha {
  const [pass, setPass] = useState<{ ticket: string; until: number }>();
  const [open, setOpen] = useState<Kind>();
  const held = useRef("");
  const waiting = useRef<((ticket: string) => void) | undefined>(undefined);

  const hold = useCallback((ticket: string, ms: number) => {
    held.current = ticket;
    setPass({ ticket, until: Date.now() + ms });
  }, []);
  const reset = useCallback(() => {
    held.current = "";
    setPass(undefined);
  }, []);
  useEffect(() => {
    if (!pass) return;
    const timer = window.setTimeout(reset, Math.max(0, pass.until - Date.now()));
    return () => window.clearTimeout(timer);
  }, [pass, reset]);

  const demand = useCallback((then?: (ticket: string) => void, kind: Kind = "slide") => {
    waiting.current = then;
    setOpen(kind);
  }, []);
  const take = useCallback(() => {
    const ticket = held.current;
    reset();
    return ticket;
  }, [reset]);
  const peek = useCallback(() => held.current, []);
  const keep = useCallback((ticket: string) => hold(ticket, FLOW_MS), [hold]);
  const solved = useCallback(
    (ticket: string) => {
      setOpen(undefined);
      const next = waiting.current;
      waiting.current = undefined;
      if (next) next(ticket);
      else hold(ticket, PASS_MS);
    },
    [hold],
  );
  const dismiss = useCallback(() => {
    waiting.current = undefined;
    setOpen(undefined);
  }, []);

  return useMemo(
    () => ({
      passed: pass !== undefined,
      open,
      demand,
      take,
      held: peek,
      keep,
      reset,
      pass: solved,
      dismiss,
    }),
    [pass, open, demand, take, peek, keep, reset, solved, dismiss],
  );
}
