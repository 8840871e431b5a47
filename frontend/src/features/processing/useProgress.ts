import { useEffect, useState } from "react";
import { invalidateProcess, type ProcessServiceResult, useGetProgressQuery } from "@/calls/process";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { isOpen } from "./status";

/** Polling interval while push is down, milliseconds. */
const POLL_MS = 5000;

export interface Progress {
  status: string;
  percent: number;
  stage: string;
  tips: string;
}

/** Progress of a running result, by push or polling; invalidates the caches when it ends. */
export function useProgress(result: ProcessServiceResult | undefined): Progress | undefined {
  const dispatch = useAppDispatch();
  const [pushed, setPushed] = useState<Progress & { id: string }>();
  const running = result !== undefined && isOpen(result.status);
  const resultId = result?.resultId ?? "";

  const { connected } = useQueue("SERVICE", (message) => {
    if (message.id === resultId) setPushed(message);
  });
  const polled = useGetProgressQuery(
    { resultId },
    { skip: !running, pollingInterval: connected ? 0 : POLL_MS, refetchOnMountOrArgChange: true },
  );

  const mine = pushed?.id === resultId ? pushed : undefined;
  const best = mine && mine.percent >= (polled.data?.percent ?? 0) ? mine : (polled.data ?? mine);
  const current = best ?? result;
  const ended = running && current !== undefined && !isOpen(current.status);
  useEffect(() => {
    if (ended) dispatch(invalidateProcess(["Results", "Statistics"]));
  }, [ended, dispatch]);
  return current;
}
