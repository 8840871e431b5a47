import { useEffect, useState } from "react";

export const COUNT_MS = 1400;

/** The number shown after `elapsed` milliseconds: always between the two ends, even if the clock jumps. */
export function countAt(from: number, to: number, elapsed: number): number {
  const t = Math.max(0, Math.min(1, elapsed / COUNT_MS));
  return t === 1 ? to : from + (to - from) * (1 - (1 - t) ** 3);
}

/**
 * A number animated from one value to another once `run` is true; without animation if the user prefers reduced motion. It
 * uses the wall clock and ends on time: a page too slow to draw shows the last number, not one in between.
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
    const begun = Date.now();
    let frame = requestAnimationFrame(function step() {
      const elapsed = Date.now() - begun;
      setValue(countAt(from, to, elapsed));
      if (elapsed < COUNT_MS) frame = requestAnimationFrame(step);
    });
    const end = setTimeout(() => {
      cancelAnimationFrame(frame);
      setValue(to);
    }, COUNT_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(end);
    };
  }, [from, to, run]);
  return value;
}
