import { useEffect, useState } from "react";

/** Without a touch for this long a page stops asking by itself, in milliseconds. */
const QUIET_MS = 3 * 60_000;

/**
 * How often a page may ask again: not at all while nobody works at it. Each question counts as work at the server, and
 * a page that is left open must not keep its session alive.
 */
export function usePolling(every: number): { pollingInterval: number; skipPollingIfUnfocused: true } {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => {
    let timer = window.setTimeout(() => setQuiet(true), QUIET_MS);
    const touched = () => {
      window.clearTimeout(timer);
      setQuiet(false);
      timer = window.setTimeout(() => setQuiet(true), QUIET_MS);
    };
    for (const name of ["pointerdown", "keydown"]) window.addEventListener(name, touched);
    return () => {
      window.clearTimeout(timer);
      for (const name of ["pointerdown", "keydown"]) window.removeEventListener(name, touched);
    };
  }, []);
  return { pollingInterval: quiet ? 0 : every, skipPollingIfUnfocused: true };
}
