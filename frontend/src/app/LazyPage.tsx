import Box from "@mui/material/Box";
import { type ComponentType, startTransition, useEffect, useState } from "react";
import { loadChunk } from "@/lib/chunk";
import { turn } from "@/lib/turn";
import type { Load, PageModule } from "./routes";

const loaded = new WeakMap<Load, ComponentType>();

/** Lighter than the library's skeleton, which only this component would add to the first load. */
function Bar({ width, height }: { width: number | string; height: number }) {
  return (
    <Box
      sx={{
        width,
        height,
        mb: 2,
        borderRadius: "4px",
        backgroundColor: "action.hover",
        animation: "xl-pulse 1.6s ease-in-out infinite",
        "@keyframes xl-pulse": { "50%": { opacity: 0.4 } },
      }}
    />
  );
}

/** Placeholder while a page's script loads; quick loads never show it. */
export function PageLoading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 150);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label="正在加载"
      // As high as the window, since a header may overlay the page: the footer appears with the page, not before.
      sx={{ maxWidth: 1200, minHeight: "100vh", mx: "auto", px: 3, py: 5 }}
    >
      {late && (
        <>
          <Bar width={220} height={28} />
          <Bar width="60%" height={16} />
          <Bar width="100%" height={240} />
        </>
      )}
    </Box>
  );
}

async function loadPage(load: Load): Promise<PageModule> {
  const module = await loadChunk(load);
  loaded.set(load, module.default);
  return module;
}

/**
 * Evaluates the scripts of the first page, which arrive with the HTML, one after the other, so that the first drawing shows
 * the page instead of its placeholder.
 *
 * @param loads of the page, and of its layout
 * @param before evaluates what they need
 * @param patience milliseconds after which the placeholder is shown
 */
export async function preloadPage(
  loads: readonly Load[],
  before: () => Promise<void>,
  patience: number,
): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience));
  const all = async () => {
    await before();
    for (const load of loads) {
      const module = await loadPage(load);
      module.ahead?.(new URL(window.location.href));
      await turn();
    }
  };
  const page = all();
  // the page itself reports a failure
  await Promise.race([page.then(undefined, () => undefined), late]);
}

/**
 * A page loaded when it is opened. Unlike `React.lazy` it forgets a failure, so that opening the page
 * again retries.
 */
export function LazyPage({ load }: { load: Load }) {
  const [Page, setPage] = useState<ComponentType | undefined>(() => loaded.get(load));
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    const here = loaded.get(load);
    if (here) {
      // it may have arrived since the drawing
      setPage(() => here);
      return;
    }
    let alive = true;
    loadPage(load).then(
      // in slices: rendering a large page does not block the visitor's input
      (page) => alive && startTransition(() => setPage(() => page.default)),
      (reason: unknown) => alive && setError(reason),
    );
    return () => {
      alive = false;
    };
  }, [load]);

  if (error) throw error;
  return Page ? <Page /> : <PageLoading />;
}
