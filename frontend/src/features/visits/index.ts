import { send, sendLast } from "./beacons";
import { clickOf, report } from "./clicks";
import { campaignOf, sourceOf } from "./source";
import { keepVisitor, visitorId, wantsNoTrace } from "./visitor";

export { keepVisitor, wantsNoTrace } from "./visitor";

interface Visit {
  uuid: string;
  /** When the current page was opened. */
  since: number;
}

/** The current visit; undefined until the host has returned its id, and after its end. */
let visit: Visit | undefined;
let begun = false;

/** Starts a visit: reports its entry address and referrer. */
async function begin(referrer: string): Promise<void> {
  const cookie = keepVisitor();
  const uuid = await send("/visitor/add", {
    cookie,
    dap: campaignOf(window.location.search),
    entranceUrl: window.location.href,
    source: sourceOf(referrer, window.location.origin),
    sourceUrl: referrer,
    isJson: true,
  });
  if (typeof uuid === "string") visit = { uuid, since: Date.now() };
}

function end(): void {
  if (!visit) return;
  sendLast("/visitor/end", { uuid: visit.uuid });
  visit = undefined;
}

/** Reports a navigation; without the cookie nothing is reported. */
function moved(): void {
  const cookie = visitorId();
  if (!visit || !cookie) return;
  visit.since = Date.now();
  send("/visitor/update", { uuid: visit.uuid, cookie, url: window.location.href, isJson: true });
}

/**
 * Tracks the visit from now on: start, pages, clicks in the header and the toolbar, end. Does nothing if the browser asks not to
 * be tracked. `onMove` calls back after each navigation.
 */
export function startVisits(onMove: (moved: () => void) => void): void {
  if (begun || wantsNoTrace()) return;
  begun = true;
  begin(document.referrer);
  onMove(moved);
  window.addEventListener("pagehide", end);
  // Restored from the back/forward cache: a new visit, with this page as its source.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) begin(window.location.href);
  });
  document.addEventListener(
    "click",
    (event) => {
      const click = clickOf(event.target);
      if (click) report(click, visit?.since ?? Date.now()).catch(() => undefined);
    },
    { capture: true },
  );
}
