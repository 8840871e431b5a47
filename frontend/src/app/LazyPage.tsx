import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { type ComponentType, useEffect, useState } from "react";
import { loadChunk } from "./chunk";
import type { PageModule } from "./routes";

const loaded = new WeakMap<() => Promise<PageModule>, ComponentType>();

/** A calm stand-in while a page's script is on its way; quick loads never show it. */
export function PageLoading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 150);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <Box
      aria-busy="true"
      aria-label="正在加载"
      sx={{ maxWidth: 1200, minHeight: "60vh", mx: "auto", px: 3, py: 5 }}
    >
      {late && (
        <>
          <Skeleton variant="text" width={220} height={40} />
          <Skeleton variant="text" width="60%" />
          <Skeleton variant="rounded" height={240} sx={{ mt: 3 }} />
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
        if (alive) setPage(() => module.default);
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
