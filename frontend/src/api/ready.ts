import { turn } from "@/lib/turn";

let ready: Promise<void> | undefined;

/**
 * Evaluates what every page with calls needs, in a task of its own; together with the page's script it keeps a phone from
 * answering for a tenth of a second. A failure is not kept: the script that needs it reports it.
 */
export function callsReady(): Promise<void> {
  ready ??= import("./base").then(turn).catch(() => {
    ready = undefined;
  });
  return ready;
}
