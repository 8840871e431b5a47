import { useEffect, useRef, useState } from "react";
import { onFirstMove } from "@/ui/firstMove";

/** How long an element must stay in view, so that scrolling past does not start it. */
const STAY_MS = 350;

/**
 * Whether at least 20 % of an element is in view, on a page that the user has touched. Turns false again out of view, which
 * limits the number of live drawing contexts. Stays false without IntersectionObserver.
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
