import { useEffect, useState } from "react";
import { turn } from "@/lib/turn";

const waiting: (() => void)[] = [];
let working = false;

/** The next frame, once it is drawn. */
const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => void turn().then(resolve)));

async function work(): Promise<void> {
  if (working) return;
  working = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    await frame();
    next();
  }
  working = false;
}

/**
 * Style of a part of a page that is below the first screen on most windows: unless it is near the window it is laid out one
 * frame after the page, in a task of its own, instead of with the first drawing.
 *
 * @param height CSS pixels that it takes until then, by breakpoint
 */
export function useLaterLayout(height: { xs: number; md: number }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const start = () => setDue(true);
    waiting.push(start);
    void work();
    return () => {
      const at = waiting.indexOf(start);
      if (at >= 0) waiting.splice(at, 1);
    };
  }, []);
  if (due) return {};
  return {
    contentVisibility: "auto",
    containIntrinsicHeight: { xs: `auto ${height.xs}px`, md: `auto ${height.md}px` },
  } as const;
}
