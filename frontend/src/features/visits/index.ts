import { send, sendLast } from "./beacons";
import { clickOf, report } from "./clicks";
import { campaignOf, sourceOf } from "./source";
import { keepVisitor, visitorId, wantsNoTrace } from "./visitor";

export { keepVisitor, wantsNoTrace } from "./visitor";

interface Visit {
  uuid: string;
  /** When the page that is shown was opened. */
  since: number;
}

/** The visit that this page is part of; undefined before it is known and after it has ended. */
let visit: Visit | undefined;
let begun = false;

/** Begins the visit: the address it began at, and where it came from. */
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

/** Another page was opened; without the cookie nobody is followed. */
function moved(): void {
  const cookie = visitorId();
  if (!visit || !cookie) return;
  visit.since = Date.now();
  send("/visitor/update", { uuid: visit.uuid, cookie, url: window.location.href, isJson: true });
}

/**
 * Follows the visit from now on: its begin, its pages, clicks in the header and the toolbar, its end. Does nothing for who
 * asks not to be followed. `onMove` calls back after each navigation.
 */
export function startVisits(onMove: (moved: () => void) => void): void {
  if (begun || wantsNoTrace()) return;
  begun = true;
  begin(document.referrer);
  onMove(moved);
  window.addEventListener("pagehide", end);
  // Back from the browser's memory: another visit, from this page itself.
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
