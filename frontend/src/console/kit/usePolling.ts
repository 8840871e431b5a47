import { useEffect, useState } from "react";

/** Without input for this long a page stops polling, in milliseconds. */
const QUIET_MS = 3 * 60_000;

/**
 * Polling interval of a page; no polling without user input, since the server counts each request as activity and an
 * unattended page must not keep its session alive.
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
