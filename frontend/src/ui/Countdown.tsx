import Box from "@mui/material/Box";
import { useEffect, useRef, useState } from "react";

/** Milliseconds left as mm:ss; never negative. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Counts down to `until` (ms since the epoch, by `clock`) and calls `onEnd` once when it is reached.
 */
export function Countdown({
  until,
  clock = Date.now,
  onEnd,
}: {
  until: number;
  clock?: () => number;
  onEnd?: () => void;
}) {
  const [now, setNow] = useState(() => clock());
  const ended = useRef<number>(undefined);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(clock()), 500);
    return () => window.clearInterval(timer);
  }, [clock]);
  const left = until - now;
  useEffect(() => {
    if (left > 0 || ended.current === until) return;
    ended.current = until;
    onEnd?.();
  }, [left, until, onEnd]);
  return (
    <Box component="time" role="timer" sx={{ fontVariantNumeric: "tabular-nums" }}>
      {formatRemaining(left)}
    </Box>
  );
}
