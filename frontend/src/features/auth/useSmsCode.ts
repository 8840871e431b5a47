import { useCallback, useEffect, useRef, useState } from "react";
import { codeOf } from "@/api";
import { authEndpoints } from "@/calls/auth";
import { RESEND_SECONDS } from "@/facts/auth";
import { authMessages } from "@/messages/auth";
import type { AuthDialogType } from "@/session/dialog";
import { smsKeyReceived } from "@/session/slice";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";
import type { Captcha } from "./captcha/useCaptcha";
import { checkPhone } from "./rules";

/** The server sent no code: the countdown and the button are reset. */
const NOT_SENT = 60202;

interface Options {
  /** Purpose of the code; a code of one purpose serves no other. */
  mode: AuthDialogType;
  captcha: Captcha;
  /** Why the number cannot be used, to be told at the phone field. */
  onRefused: (message: string) => void;
  /** Sign-in of a number that nobody has. */
  onUnknown?: (phone: string) => void;
}

export interface SmsCode {
  /** Seconds left; 0 when a code can be sent. */
  seconds: number;
  busy: boolean;
  /** The key that belongs to this number; empty when none was sent to it. */
  keyFor: (phone: string) => string;
  send: (phone: string) => Promise<void>;
}

/** Whether the answer of the existence check stops the sending, and what is said. */
function verdict(mode: AuthDialogType, absent: boolean): "go" | "unknown" | { message: string } {
  if (mode === "login") return absent ? "unknown" : "go";
  if (mode === "rebuild") return absent ? { message: authMessages.userMissing } : "go";
  if (absent) return "go";
  return { message: mode === "register" ? authMessages.userExists : authMessages.phoneExists };
}

/** Sending a code: format, existence, slider, SMS, countdown; in this order. */
export function useSmsCode({ mode, captcha, onRefused, onUnknown }: Options): SmsCode {
  const dispatch = useAppDispatch();
  const [endsAt, setEndsAt] = useState(0);
  const [seconds, setSeconds] = useState(0);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState({ phone: "", key: "" });
  const alive = useRef(true);
  // A second click must see the first one's work before the state does.
  const working = useRef(false);

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  useEffect(() => {
    if (!endsAt) return;
    // By the clock, not by counting ticks: timers of a tab in the background are slowed down.
    const tick = () => {
      const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setSeconds(left);
      if (left === 0) setEndsAt(0);
    };
    tick();
    const timer = window.setInterval(tick, 250);
    return () => window.clearInterval(timer);
  }, [endsAt]);

  const deliver = useCallback(
    async (phone: string, ticket: string) => {
      const answer = await dispatch(
        authEndpoints.authSendSms.initiate({ phone, type: mode, nvcTicket: ticket }, { track: false }),
      );
      if (!alive.current) return;
      working.current = false;
      setBusy(false);
      if (answer.error) {
        if (codeOf(answer.error) === NOT_SENT) {
          setEndsAt(0);
          setSeconds(0);
        }
        return;
      }
      const key = answer.data ?? "";
      setSent({ phone, key });
      dispatch(smsKeyReceived(key));
      setSeconds(RESEND_SECONDS);
      setEndsAt(Date.now() + RESEND_SECONDS * 1000);
      toast.success(authMessages.sent);
    },
    [dispatch, mode],
  );

  const send = useCallback(
    async (phone: string) => {
      if (working.current || endsAt > Date.now()) return;
      const wrong = checkPhone(phone);
      if (wrong) {
        onRefused(wrong);
        return;
      }
      working.current = true;
      setBusy(true);
      const stop = () => {
        working.current = false;
        setBusy(false);
      };
      const answer = await dispatch(
        authEndpoints.authUserIsExist.initiate({ username: phone }, { track: false }),
      );
      if (!alive.current) return;
      if (answer.error) return stop();
      const next = verdict(mode, answer.data === true);
      if (next === "unknown") {
        stop();
        onUnknown?.(phone);
        return;
      }
      if (next !== "go") {
        stop();
        onRefused(next.message);
        return;
      }
      const ticket = captcha.take();
      if (ticket) return deliver(phone, ticket);
      // The puzzle may be left; the button must not wait for it.
      stop();
      captcha.demand((fresh) => {
        working.current = true;
        setBusy(true);
        void deliver(phone, fresh);
      });
    },
    [captcha, deliver, dispatch, endsAt, mode, onRefused, onUnknown],
  );

  const keyFor = useCallback((phone: string) => (sent.phone === phone ? sent.key : ""), [sent]);
  return { seconds, busy, keyFor, send };
}
