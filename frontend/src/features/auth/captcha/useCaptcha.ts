import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Kind } from "./useChallenge";

/** A little less than on the server: a pass shown as valid must still be valid on arrival. */
const PASS_MS = 280_000;
const FLOW_MS = 870_000;

export interface Captcha {
  /** Whether the form holds a pass, or none was required. */
  passed: boolean;
  /** The puzzle is shown, starting with this kind. */
  open: Kind | undefined;
  /** Shows the puzzle; once it is passed, calls `then` with the ticket. */
  demand: (then?: (ticket: string) => void, kind?: Kind) => void;
  /** Returns the ticket and clears the pass; empty without one. */
  take: () => string;
  /** Returns the ticket and keeps it. */
  held: () => string;
  /** Keeps the pass, or the permission to go on without one, for the rest of a registration or recovery. */
  keep: (ticket: string) => void;
  /** Clears the pass: the check returns to its start state. */
  reset: () => void;
  /** Called by the puzzle. */
  pass: (ticket: string) => void;
  dismiss: () => void;
}

/** The verification state of one form and its pending callback. */
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
