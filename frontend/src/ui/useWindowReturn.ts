import { useEffect, useRef } from "react";

/** Minimum interval when the user switches back and forth. */
const LOOK_MS = 2_000;

/** Calls `look` when the user comes back to this window or tab. */
export function useWindowReturn(look: () => void): void {
  const looked = useRef(Date.now());
  useEffect(() => {
    const back = () => {
      if (document.visibilityState !== "visible" || Date.now() - looked.current <= LOOK_MS) return;
      looked.current = Date.now();
      look();
    };
    document.addEventListener("visibilitychange", back);
    window.addEventListener("focus", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      window.removeEventListener("focus", back);
    };
  }, [look]);
}
