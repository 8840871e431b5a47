import { useCallback, useEffect, useRef, useState } from "react";
import { apiErrorOf, serverNow } from "@/api";
import { type AuthSliderChallengeReply, authEndpoints } from "@/calls/auth";
import { captchaMessages } from "@/messages/auth";
import { useAppDispatch } from "@/store/hooks";
import { ANOTHER_CHECK, PASS } from "./useAssessment";

export type Kind = "slide" | "scratch" | "question";

export type ChallengeState =
  | { phase: "loading" }
  | { phase: "ready"; challenge: AuthSliderChallengeReply }
  | { phase: "verifying"; challenge: AuthSliderChallengeReply }
  | { phase: "passed"; challenge: AuthSliderChallengeReply }
  /** Stopped with a message and a retry link. */
  | { phase: "failed"; message: string };

/** Results of the verification call in addition to those of an assessment. */
const MISSED = 400;
const BLOCKED = 800;
/** How long the tick is shown before the form goes on. */
const PASSED_MS = 500;

export interface ChallengeControl {
  state: ChallengeState;
  kind: Kind;
  /** Message about the last attempt, shown with the next puzzle. */
  remark: string;
  submit: (solution: string) => void;
  fail: (message: string) => void;
  retry: () => void;
  /** Switches to another kind of check: words instead of the picture, and back. */
  turnTo: (kind: Kind) => void;
}

/** One run of the check: fetches puzzles, sends solutions, follows the result codes. */
export function useChallenge(first: Kind, onPassed: (ticket: string) => void): ChallengeControl {
  const dispatch = useAppDispatch();
  const [state, setState] = useState<ChallengeState>({ phase: "loading" });
  const [kind, setKind] = useState<Kind>(first);
  const [remark, setRemark] = useState("");
  // Results of an older run are ignored.
  const run = useRef(0);
  const passed = useRef(onPassed);
  useEffect(() => {
    passed.current = onPassed;
  });

  const fetchPuzzle = useCallback(
    async (wanted: Kind) => {
      run.current += 1;
      const mine = run.current;
      setKind(wanted);
      setState({ phase: "loading" });
      const answer = await dispatch(
        authEndpoints.sliderChallenge.initiate({ kind: wanted }, { track: false }),
      );
      if (mine !== run.current) return;
      if (answer.data) setState({ phase: "ready", challenge: answer.data });
      else setState({ phase: "failed", message: failureText(answer.error) });
    },
    [dispatch],
  );

  useEffect(() => {
    void fetchPuzzle(first);
    return () => {
      run.current += 1;
    };
  }, [fetchPuzzle, first]);

  // Reports an expired puzzle at once, not when a late solution is refused.
  const expiresAt = state.phase === "ready" ? state.challenge.expiresAt : 0;
  useEffect(() => {
    if (!expiresAt) return;
    const left = Math.min(Math.max(0, expiresAt - serverNow()), 2_147_000_000);
    const timer = window.setTimeout(
      () => setState({ phase: "failed", message: captchaMessages.timedOut }),
      left,
    );
    return () => window.clearTimeout(timer);
  }, [expiresAt]);

  const submit = useCallback(
    async (solution: string) => {
      if (state.phase !== "ready") return;
      const { challenge } = state;
      const mine = run.current;
      setState({ phase: "verifying", challenge });
      const answer = await dispatch(
        authEndpoints.getAliyunAcs.initiate({ nvcdata: solution }, { track: false }),
      );
      if (mine !== run.current) return;
      const code = Number(answer.data);
      if (PASS.includes(code)) {
        setRemark("");
        setState({ phase: "passed", challenge });
        window.setTimeout(() => mine === run.current && passed.current(challenge.id), PASSED_MS);
        return;
      }
      if (answer.error) {
        setState({ phase: "failed", message: failureText(answer.error) });
        return;
      }
      const scratching = challenge.kind === "scratch";
      if (scratching && (code === MISSED || code === ANOTHER_CHECK)) {
        const message = code === MISSED ? captchaMessages.notScratched : captchaMessages.tooFast;
        setState({ phase: "failed", message });
        return;
      }
      const inWords = challenge.kind === "question";
      setRemark(inWords && code === MISSED ? captchaMessages.wrongAnswer : remarkOf(code));
      void fetchPuzzle(code === ANOTHER_CHECK ? "scratch" : inWords ? "question" : "slide");
    },
    [dispatch, fetchPuzzle, state],
  );

  const fail = useCallback((message: string) => setState({ phase: "failed", message }), []);
  const retry = useCallback(() => {
    setRemark("");
    void fetchPuzzle(kind);
  }, [fetchPuzzle, kind]);

  const turnTo = useCallback(
    (wanted: Kind) => {
      setRemark("");
      void fetchPuzzle(wanted);
    },
    [fetchPuzzle],
  );

  return { state, kind, remark, submit, fail, retry, turnTo };
}

/** Message shown with the next puzzle. */
function remarkOf(code: number): string {
  if (code === ANOTHER_CHECK) return captchaMessages.another;
  if (code === MISSED) return captchaMessages.missed;
  return code === BLOCKED ? captchaMessages.blocked : captchaMessages.expired;
}

function failureText(error: unknown): string {
  const known = apiErrorOf(error);
  return known && known.kind !== "network" && known.message ? known.message : captchaMessages.network;
}
