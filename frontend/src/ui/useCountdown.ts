import { useCallback, useEffect, useState } from "react";

export interface SecondsLeft {
  /** 0 when it is over. */
  seconds: number;
  /** Whether it still runs by the clock, since the state may lag behind. */
  running: () => boolean;
  start: (seconds: number) => void;
}

const secondsLeft = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000));

/** Seconds until a moment (ms since the epoch), by the clock: timers of a background tab are throttled. */
export function useSecondsUntil(until: number): number {
  const [, setShown] = useState(0);
  useEffect(() => {
    if (secondsLeft(until) === 0) return;
    const timer = window.setInterval(() => {
      const left = secondsLeft(until);
      setShown(left);
      if (left === 0) window.clearInterval(timer);
    }, 250);
    return () => window.clearInterval(timer);
  }, [until]);
  return secondsLeft(until);
}

/** Seconds until an action is allowed again. */
export function useCountdown(): SecondsLeft {
  const [endsAt, setEndsAt] = useState(0);
  const seconds = useSecondsUntil(endsAt);
  const running = useCallback(() => endsAt > Date.now(), [endsAt]);
  const start = useCallback((from: number) => setEndsAt(Date.now() + from * 1000), []);
  return { seconds, running, start };
}
