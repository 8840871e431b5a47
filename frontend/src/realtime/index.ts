import { useEffect, useRef } from "react";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { onQueueMessage } from "./listener";
import type { RealtimeMessage, RealtimeType } from "./messages";

export { onQueueMessage } from "./listener";
export type * from "./messages";
export { connectionChanged, queueMessage } from "./slice";

/**
 * Calls the handler for every message of one type, while the component is mounted. Returns whether
 * push is up (poll while it is not) and a number that rises with every new connection (when it changes, load
 * what was missed).
 */
export function useQueue<T extends RealtimeType>(
  type: T,
  handler: (message: Extract<RealtimeMessage, { type: T }>) => void,
): { connected: boolean; connections: number } {
  const dispatch = useAppDispatch();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => onQueueMessage(dispatch, type, (message) => latest.current(message)), [dispatch, type]);
  return useAppSelector((state) => state.realtime);
}

/** Calls `refresh` for every push of a type, and after each interruption, during which some may have been missed. */
export function useNews(type: RealtimeType, refresh: () => void): void {
  const { connections } = useQueue(type, refresh);
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  // The first connection comes with the page, which has just loaded its data.
  const heard = useRef(connections);
  useEffect(() => {
    if (connections > heard.current && heard.current > 0) latest.current();
    heard.current = connections;
  }, [connections]);
}
