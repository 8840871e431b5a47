import { useCallback, useEffect, useState } from "react";

export interface SecondsLeft {
  /** 0 when it is over. */
  seconds: number;
  /** Whether it still runs by the clock, since the state may lag behind. */
  running: () => boolean;
  start: (seconds: number) => void;
  stop: () => void;
}

/** Seconds until an action is allowed again, by the clock: timers of a background tab are throttled. */
export function useCountdown(): SecondsLeft {
  const [endsAt, setEndsAt] = useState(0);
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    if (!endsAt) return;
    const tick = () => {
      const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setSeconds(left);
      if (left === 0) setEndsAt(0);
    };
    tick();
    const timer = window.setInterval(tick, 250);
    return () => window.clearInterval(timer);
  }, [endsAt]);

  const running = useCallback(() => endsAt > Date.now(), [endsAt]);
  const start = useCallback((from: number) => {
    setSeconds(from);
    setEndsAt(Date.now() + from * 1000);
  }, []);
  const stop = useCallback(() => {
    setEndsAt(0);
    setSeconds(0);
  }, []);
  return { seconds, running, start, stop };
}
