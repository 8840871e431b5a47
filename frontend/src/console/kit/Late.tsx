import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { loadChunk } from "@/lib/chunk";
import { PageTitle } from "./page";
import { Failed } from "./states";

// biome-ignore lint/suspicious/noExplicitAny: the props depend on what is loaded
type Any = ComponentType<any>;
export type Load<P extends object> = () => Promise<{ default: ComponentType<P> }>;

const FAILED = { message: "页面的程序没有下载成功，请检查网络后重试" };

const reload = () => window.location.reload();
/** Asks the site itself: it may be away while the network is there. */
const isReachable = () =>
  fetch(window.location.pathname, { cache: "no-store", credentials: "omit" }).then(
    ({ ok }) => ok,
    () => false,
  );

const loaded = new WeakMap<object, Any>();

/**
 * Something whose script is loaded when it is drawn. A failure is told in its place, with a button to try again; the rest
 * of the page stays.
 */
export function Late<P extends object>({
  load,
  props,
  what,
  waiting,
  isPage = false,
}: {
  load: Load<P>;
  props: P;
  /** Start of the sentence about a failure. */
  what: string;
  waiting: ReactNode;
  /** It would have brought the page's heading. */
  isPage?: boolean;
}) {
  const [Part, setPart] = useState<Any | undefined>(() => loaded.get(load));
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (Part || isFailed) return undefined;
    let alive = true;
    loadChunk(load, reload, isReachable).then(
      ({ default: part }) => {
        loaded.set(load, part);
        if (alive) setPart(() => part);
      },
      () => alive && setFailed(true),
    );
    return () => {
      alive = false;
    };
  }, [load, Part, isFailed]);
  if (Part) return <Part {...props} />;
  if (!isFailed) return <>{waiting}</>;
  return (
    <>
      {isPage && <PageTitle title={what} />}
      <Failed what={what} error={FAILED} onRetry={() => setFailed(false)} />
    </>
  );
}
