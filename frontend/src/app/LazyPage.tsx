import Box from "@mui/material/Box";
import { type ComponentType, startTransition, useEffect, useState } from "react";
import { loadChunk } from "@/lib/chunk";
import type { PageModule } from "./routes";

const loaded = new WeakMap<() => Promise<PageModule>, ComponentType>();

/** Lighter than the library's skeleton, which the first load would carry for this alone. */
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

/** A calm stand-in while a page's script is on its way; quick loads never show it. */
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
      // As high as the window, since a header may lie over the page: the footer comes into view with the page, not before.
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

/**
 * A page loaded when it is opened. Unlike `React.lazy` it forgets a failure, so that opening the page
 * again tries again.
 */
export function LazyPage({ load }: { load: () => Promise<PageModule> }) {
  const [Page, setPage] = useState<ComponentType | undefined>(() => loaded.get(load));
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    if (loaded.has(load)) return;
    let alive = true;
    loadChunk(load).then(
      (module) => {
        loaded.set(load, module.default);
        // in slices: a large page does not hold up what the visitor does meanwhile
        if (alive) startTransition(() => setPage(() => module.default));
      },
      (reason: unknown) => alive && setError(reason),
    );
    return () => {
      alive = false;
    };
  }, [load]);

  if (error) throw error;
  return Page ? <Page /> : <PageLoading />;
}
