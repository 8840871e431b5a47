import Box from "@mui/material/Box";
import { type ComponentType, startTransition, useEffect, useRef, useState } from "react";
import { onFirstMove } from "./firstMove";

/** After this long on a page that nobody touches, in milliseconds, an `eager` part is asked for anyway. */
const QUIET_MS = 2000;
/** How far below the window a part may be when its script is asked for. */
const MARGIN = "100px";

/**
 * A part of a page whose script is loaded when it comes near the window or at the visitor's first move
 * (the page may be searched in, or printed); until then a box of about its height (pixels) holds its
 * place. Where the browser cannot tell, it is loaded at once.
 *
 * An `eager` part, whose place would be seen to be empty, does not wait for a move longer than 2 s; its
 * script counts in the budget of the page.
 */
export function whenNear<P extends object>(
  load: () => Promise<ComponentType<P>>,
  height: number,
  { eager = false } = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, at module level
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
          // The place stays empty; the rest of the page works, and the next visit tries again.
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
