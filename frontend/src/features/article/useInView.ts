import { useEffect, useRef, useState } from "react";
import { onFirstMove } from "@/ui/firstMove";

/** How long it has to stay in view, so that whoever scrolls past does not start it. */
const STAY_MS = 350;

/**
 * Whether an element is being looked at: half a screen near, on a page that somebody has touched. It turns false again out of
 * view, so that one page holds few drawing contexts at a time. Where the browser cannot tell it stays false.
 */
export function useInView() {
  const ref = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof IntersectionObserver === "undefined") return undefined;
    let timer = 0;
    let watcher: IntersectionObserver | undefined;
    const stopWaiting = onFirstMove(() => {
      watcher = new IntersectionObserver(
        ([entry]) => {
          const near = entry?.isIntersecting ?? false;
          window.clearTimeout(timer);
          timer = window.setTimeout(() => setSeen(near), STAY_MS);
        },
        { threshold: 0.2 },
      );
      watcher.observe(element);
    });
    return () => {
      stopWaiting();
      watcher?.disconnect();
      window.clearTimeout(timer);
    };
  }, []);
  return [ref, seen] as const;
}
