import { useCallback, useEffect, useReducer, useRef } from "react";
import { type ProcessModelStatus, processEndpoints } from "@/calls/process";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { applyMessages, type CheckLog, type CheckMessage, emptyLog } from "./log";

/** Polling interval while push is down, milliseconds. */
export const CHECK_POLL_MS = 30_000;
/** Silence before the state is requested once although push is up, milliseconds: at the start, and later. */
const FIRST_SILENCE_MS = 1_000;
const SILENCE_MS = 60_000;

type Event = { reset: true } | { messages: CheckMessage[] };

function reduce(log: CheckLog, event: Event): CheckLog {
  return "reset" in event ? emptyLog : applyMessages(log, event.messages);
}

/** Messages of one file's check: by push, and by polling every 30 s while push is down. Duplicates are ignored. */
export function useCheckLog(fileId: string): {
  log: CheckLog;
  offline: boolean;
  /** starts a retry by `work`; then discards the failed run and listens anew */
  restart: (work: () => Promise<unknown>) => Promise<void>;
} {
  const dispatch = useAppDispatch();
  const [log, update] = useReducer(reduce, emptyLog);
  const lastSeq = useRef(0);
  // messages up to this number belong to an abandoned check
  const floor = useRef(0);

  const take = useCallback((messages: CheckMessage[]) => {
    const fresh = messages.filter((message) => !message.seq || message.seq > floor.current);
    for (const message of fresh) lastSeq.current = Math.max(lastSeq.current, message.seq ?? 0);
    update({ messages: fresh });
  }, []);

  const { connected, connections } = useQueue("CHECK", (message) => {
    if (message.id === fileId) take(known([message]));
  });

  const ask = useCallback(async () => {
    const request = dispatch(
      processEndpoints.getModelStatus.initiate(
        { id: fileId, type: "CHECK", afterSeq: floor.current },
        { forceRefetch: true, subscribe: false },
      ),
    );
    const { data } = await request;
    if (data) take(messagesOf(data));
  }, [dispatch, fileId, take]);

  const restart = useCallback(
    async (work: () => Promise<unknown>) => {
      // Noted before the call: a short check may end by push before the call returns.
      const known = lastSeq.current;
      await work();
      floor.current = known;
      update({ reset: true });
      void ask();
    },
    [ask],
  );

  const ended = log.phase === "complete" || log.phase === "error";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new connection requests what was missed before it
  useEffect(() => {
    if (!ended) void ask();
  }, [ask, connections]);

  useEffect(() => {
    if (connected || ended) return undefined;
    const timer = setInterval(() => void ask(), CHECK_POLL_MS);
    return () => clearInterval(timer);
  }, [connected, ended, ask]);

  // Pushes may be lost, and a short check may end before this view listens: after a silence the state is requested once.
  const heard = Object.keys(log.seen).length;
  useEffect(() => {
    if (!connected || ended) return undefined;
    const timer = setTimeout(() => void ask(), heard <= 1 ? FIRST_SILENCE_MS : SILENCE_MS);
    return () => clearTimeout(timer);
  }, [connected, ended, ask, heard]);

  return { log, offline: !connected, restart };
}

/** The list of messages, or the single newest one if the server sends no list. */
export function messagesOf(status: ProcessModelStatus): CheckMessage[] {
  const list = status.messages?.length ? status.messages : status.status ? [status] : [];
  return known(list);
}

/** Keeps messages with a known status. */
function known(messages: readonly (Omit<CheckMessage, "status"> & { status: string })[]): CheckMessage[] {
  return messages.flatMap((one) => (isStatus(one.status) ? [{ ...one, status: one.status }] : []));
}

function isStatus(value: string): value is CheckMessage["status"] {
  return ["Begin", "Normal", "Success", "Error"].includes(value);
}
