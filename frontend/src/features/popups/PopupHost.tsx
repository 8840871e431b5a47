import { Suspense, useEffect, useState } from "react";
import { callsReady } from "@/api/ready";
import { optional } from "@/lib/chunk";
import { onFirstMove } from "@/ui/firstMove";

/** Popups are requested after this time even without user input, in milliseconds. */
const QUIET_MS = 2500;

const Popups = optional(async () => {
  await callsReady();
  return import(/* webpackChunkName: "popups" */ "./Popups");
});

/** Popups over pages; nothing of them is loaded before the page is rendered. */
export function PopupHost() {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const start = () => setDue(true);
    const stopWaiting = onFirstMove(start);
    const timer = window.setTimeout(start, QUIET_MS);
    return () => {
      stopWaiting();
      window.clearTimeout(timer);
    };
  }, []);
  return <Suspense fallback={null}>{due && <Popups />}</Suspense>;
}
