import { useEffect, useState } from "react";

const DURATION_MS = 1400;

/**
 * A number animated from one value to another once `run` is true; immediately there if the user prefers reduced motion.
 */
export function useCountTo(from: number, to: number, run: boolean): number {
  const [value, setValue] = useState(from);
  useEffect(() => {
    if (!run) {
      setValue(from);
      return undefined;
    }
    if (matchMedia?.("(prefers-reduced-motion: reduce)").matches) {
      setValue(to);
      return undefined;
    }
    let frame = 0;
    const begun = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, (now - begun) / DURATION_MS);
      setValue(from + (to - from) * (1 - (1 - t) ** 3));
      if (t < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [from, to, run]);
  return value;
}
