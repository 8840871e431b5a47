import Box from "@mui/material/Box";
import { type ComponentType, startTransition, useEffect, useRef, useState } from "react";
import { onFirstMove } from "./firstMove";

/** Without user interaction an `eager` part is loaded after this time, in milliseconds. */
const QUIET_MS = 2000;
/** How far below the window a part may be when its script is loaded. */
const MARGIN = "100px";

/**
 * A part of a page whose script is loaded when it comes near the window or at the visitor's first interaction
 * (the page may be searched in, or printed); until then a box of about its height (pixels) reserves its
 * space. If the browser cannot detect it, it is loaded at once.
 *
 * An `eager` part, whose empty space would be noticed, waits for an interaction at most 2 s; its
 * script counts in the budget of the page.
 */
export function whenNear<P extends object>(
  load: () => Promise<ComponentType<P>>,
  height: number,
  { eager = false } = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;

  // biome-ignore lint/correctness/noComponentHookFactories: created once per part, at module level
  return function WhenNear(props: P) {
    const place = useRef<HTMLDivElement>(null);
    const [Part, setPart] = useState(() => loaded);

    useEffect(() => {
      const element = place.current;
      if (Part || !element) return;
      let alive = true;
      const start = () => {
        load().then(
          (component) => {
            loaded = component;
            if (alive) startTransition(() => setPart(() => component));
          },
          // The space stays empty; the rest of the page works, and the next visit retries.
          () => undefined,
        );
      };
      if (typeof IntersectionObserver === "undefined") {
        start();
        return () => {
          alive = false;
        };
      }
      const watcher = new IntersectionObserver(
        ([entry]) => {
          if (!entry?.isIntersecting) return;
          watcher.disconnect();
          start();
        },
        { rootMargin: MARGIN },
      );
      watcher.observe(element);
      const stopWaiting = onFirstMove(start);
      const quiet = eager ? window.setTimeout(start, QUIET_MS) : undefined;
      return () => {
        alive = false;
        stopWaiting();
        window.clearTimeout(quiet);
        watcher.disconnect();
      };
    }, [Part]);

    return Part ? <Part {...props} /> : <Box ref={place} sx={{ minHeight: height }} />;
  };
}
