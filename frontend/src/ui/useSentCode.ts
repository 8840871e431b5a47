import { useState } from "react";
import { useCountdown } from "./useCountdown";

export interface SentCode {
  /** The key of the last code; empty before. */
  key: string;
  /** Seconds until another one may be sent. */
  seconds: number;
  busy: boolean;
  send: () => Promise<void>;
}

/** Sends a code by SMS or mail. `request` resolves with the code's key, or undefined if none was sent. */
export function useSentCode(request: () => Promise<string | undefined>, resendSeconds: number): SentCode {
  const { seconds, running, start } = useCountdown();
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (busy || running()) return;
    setBusy(true);
    try {
      const sent = await request();
      if (!sent) return;
      setKey(sent);
      start(resendSeconds);
    } finally {
      setBusy(false);
    }
  };
  return { key, seconds, busy, send };
}
