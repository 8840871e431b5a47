import { useCallback, useEffect, useRef, useState } from "react";
import { apiErrorOf } from "@/api";
import { personalEndpoints } from "@/calls/personal";
import { useSession } from "@/session";
import { useAppStore } from "@/store/hooks";
import { type FileKind, fileMessages, judgeFile } from "@/transfer/fileRules";
import { messages } from "@/transfer/rules";
import { isAbort } from "@/transfer/s3";
import { toast } from "@/ui/toast";
import { sendFile } from "./send";

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** Object URL of a picture. */
  preview?: string;
  /** `checking`: stored, and being scanned. */
  state: "sending" | "checking" | "done" | "failed";
  /** 0 to 1. */
  sent: number;
  /** Its address (`bucket/key`), once done. */
  address?: string;
  error?: string;
}

export interface UploadRules {
  kind: FileKind;
  limitMb: number;
  most: number;
  /** Not public, so it skips the safety scan. */
  unscanned?: boolean;
}

export interface Uploads {
  items: readonly Upload[];
  busy: boolean;
  addresses: readonly string[];
  add: (files: readonly File[]) => void;
  remove: (id: number) => void;
  retry: (id: number) => void;
}

interface Held {
  file: File;
  stop: AbortController;
}

let lastId = 0;

/** The files of one field: each is checked, uploaded and, if it is a public picture, scanned before it counts. */
export function useUploads(rules: UploadRules): Uploads {
  const store = useAppStore();
  const { loginId } = useSession();
  const { kind, limitMb, most, unscanned } = rules;
  const [items, setItems] = useState<readonly Upload[]>([]);
  const held = useRef(new Map<number, Held>());
  const previews = useRef(new Map<number, string>());

  const forget = useCallback((id: number) => {
    held.current.get(id)?.stop.abort();
    held.current.delete(id);
    const preview = previews.current.get(id);
    if (preview) URL.revokeObjectURL(preview);
    previews.current.delete(id);
  }, []);
  useEffect(() => {
    const { current } = held;
    return () => {
      for (const id of [...current.keys()]) forget(id);
    };
  }, [forget]);

  const change = useCallback(
    (id: number, to: Partial<Upload>) =>
      setItems((before) => before.map((item) => (item.id === id ? { ...item, ...to } : item))),
    [],
  );

  const run = useCallback(
    async (id: number, { file, stop }: Held) => {
      change(id, { state: "sending", sent: 0, error: undefined });
      try {
        const address = await sendFile(store, loginId, file, {
          signal: stop.signal,
          onSent: (bytes) => change(id, { sent: Math.min(1, bytes / file.size) }),
        });
        if (stop.signal.aborted) return;
        if ((kind === "picture" || kind === "img") && !unscanned) {
          change(id, { state: "checking", sent: 1 });
          const scanned = store.dispatch(
            personalEndpoints.imageSyncScan.initiate({ imgUrl: address }, { track: false }),
          );
          await scanned.unwrap();
        }
        if (!stop.signal.aborted) change(id, { state: "done", sent: 1, address });
      } catch (error) {
        if (isAbort(error) || stop.signal.aborted) return;
        change(id, { state: "failed", error: apiErrorOf(error)?.message || messages.failed });
      }
    },
    [change, kind, loginId, store, unscanned],
  );

  const add = useCallback(
    (files: readonly File[]) => {
      const room = most - items.length;
      if (files.length > room) toast.error(fileMessages.tooMany(most));
      const taken = files.slice(0, Math.max(0, room)).filter((file) => {
        const wrong = judgeFile(file, kind, limitMb);
        if (wrong) toast.error(wrong);
        return !wrong;
      });
      const made = taken.map((file): Upload => {
        lastId += 1;
        held.current.set(lastId, { file, stop: new AbortController() });
        const isPicture = kind === "picture" || kind === "img";
        const preview = isPicture ? URL.createObjectURL(file) : undefined;
        if (preview) previews.current.set(lastId, preview);
        return { id: lastId, name: file.name, size: file.size, preview, state: "sending", sent: 0 };
      });
      setItems((before) => [...before, ...made]);
      for (const { id } of made) {
        const one = held.current.get(id);
        if (one) void run(id, one);
      }
    },
    [items.length, kind, limitMb, most, run],
  );

  const remove = useCallback(
    (id: number) => {
      forget(id);
      setItems((before) => before.filter((item) => item.id !== id));
    },
    [forget],
  );
  const retry = useCallback(
    (id: number) => {
      const one = held.current.get(id);
      if (one) void run(id, one);
    },
    [run],
  );

  return {
    items,
    busy: items.some(({ state }) => state === "sending" || state === "checking"),
    addresses: items.flatMap(({ address, state }) => (state === "done" && address ? [address] : [])),
    add,
    remove,
    retry,
  };
}
