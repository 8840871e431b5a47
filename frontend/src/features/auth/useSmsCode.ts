import { useCallback, useEffect, useRef, useState } from "react";
import { codeOf } from "@/api";
import { authEndpoints } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import type { AuthDialogType } from "@/session/dialog";
import { smsKeyReceived } from "@/session/slice";
import { deviceKey } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";
import { useSecondsUntil } from "@/ui/useCountdown";
import { PASSWORD_HELPS, useAssessment } from "./captcha/useAssessment";
import type { Captcha } from "./captcha/useCaptcha";
import { checkPhone } from "./rules";
import { type SentCodes, useSentCodes } from "./useSentCodes";

/** The server sent no code: reset the countdown and the button. */
const NOT_SENT = 60202;
/** The slider must be passed first. */
const SLIDER_DEMANDED = 60201;

interface Options {
  /** Purpose of the code; a code is valid for one purpose only. */
  mode: AuthDialogType;
  captcha: Captcha;
  /** Outlives the form; without it the codes are gone with the form. */
  codes?: SentCodes;
  /** The number cannot be used: `message` is shown at the phone field. */
  onRefused: (message: string) => void;
  /** Sign-in with an unregistered number. */
  onUnknown?: (phone: string) => void;
  /** Others have used up the number's codes: the account's password is to be shown, and `password` to return it. */
  onPassword?: () => void;
  password?: () => string;
}

export interface SmsCode {
  /** Seconds left; 0 when a code can be sent. */
  seconds: number;
  busy: boolean;
  /** The key of the code sent to this number; empty when none was sent. */
  keyFor: (phone: string) => string;
  send: (phone: string) => Promise<void>;
}

/** Whether the result of the existence check stops the sending, and the message. */
function verdict(mode: AuthDialogType, absent: boolean): "go" | "unknown" | { message: string } {
  if (mode === "login") return absent ? "unknown" : "go";
  if (mode === "rebuild") return absent ? { message: authMessages.userMissing } : "go";
  if (absent) return "go";
  return { message: mode === "register" ? authMessages.userExists : authMessages.phoneExists };
}

/** Sends a code. Order: format, existence, rate limit, slider, SMS, countdown. */
export function useSmsCode({
  mode,
  captcha,
  codes: kept,
  onRefused,
  onUnknown,
  onPassword,
  password: shown,
}: Options): SmsCode {
  const dispatch = useAppDispatch();
  const assess = useAssessment();
  const own = useSentCodes();
  const codes = kept ?? own;
  const { nextAt, keys } = codes.of(mode);
  const seconds = useSecondsUntil(nextAt);
  const [busy, setBusy] = useState(false);
  const alive = useRef(true);
  // Guards against a second click before the state is updated.
  const working = useRef(false);
  const again = useRef<(phone: string, pass: string) => Promise<void>>(undefined);

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const deliver = useCallback(
    async (phone: string, ticket: string) => {
      const password = shown?.() ?? "";
      const form = { phone, type: mode, nvcTicket: ticket, device: deviceKey() };
      const answer = await dispatch(
        authEndpoints.sendSms.initiate({ ...form, ...(password && { password }) }, { track: false }),
      );
      const key = answer.data ?? "";
      if (!answer.error) {
        // Also when the form is gone: the message arrives, and the form may come back.
        codes.sent(mode, phone, key);
        dispatch(smsKeyReceived(key));
      }
      if (!alive.current) return;
      working.current = false;
      setBusy(false);
      if (answer.error) {
        const code = codeOf(answer.error);
        if (code === PASSWORD_HELPS) onPassword?.();
        if (code === NOT_SENT || code === PASSWORD_HELPS) {
          captcha.reset();
          codes.refused(mode);
        }
        return;
      }
      // One pass serves the whole registration or recovery.
      if (mode === "register" || mode === "rebuild") captcha.keep(ticket);
      else captcha.reset();
      toast.success(password ? authMessages.sentIfRight : authMessages.sent);
    },
    [captcha, codes, dispatch, mode, onPassword, shown],
  );

  const send = useCallback(
    // `pass`: the slider's ticket, if the existence check required it.
    async (phone: string, pass = "") => {
      // By the clock: what is shown may lag behind.
      if (working.current || nextAt > Date.now()) return;
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
        authEndpoints.userIsExist.initiate(
          { username: phone, ...(pass && { nvcTicket: pass }) },
          { track: false },
        ),
      );
      if (!alive.current) return;
      if (answer.error) {
        stop();
        // Too many unknown numbers were requested from this IP address.
        if (codeOf(answer.error) === SLIDER_DEMANDED)
          captcha.demand((fresh) => void again.current?.(phone, fresh));
        return;
      }
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
      const ticket = captcha.held();
      const needed = await assess({
        scene: "code",
        phone,
        type: mode,
        ticket,
        device: deviceKey(),
        showsPassword: Boolean(shown?.()),
      });
      if (!alive.current) return;
      if (needed === "go") return deliver(phone, ticket);
      // The user may dismiss the puzzle, so the button must not stay busy.
      stop();
      if (needed === "password") onPassword?.();
      if (!needed || needed === "password") return;
      captcha.demand((fresh) => {
        working.current = true;
        setBusy(true);
        void deliver(phone, fresh);
      }, needed);
    },
    [assess, captcha, deliver, dispatch, mode, nextAt, onPassword, onRefused, onUnknown, shown],
  );

  useEffect(() => {
    again.current = send;
  }, [send]);

  const keyFor = useCallback((phone: string) => keys[phone] ?? "", [keys]);
  return { seconds, busy, keyFor, send };
}
