import { currentStore } from "@/store/current";
import { send } from "./beacons";
import { visitorId } from "./visitor";

/** A clicked control of the frame. */
interface Click {
  area: "header" | "toolbar";
  name: string;
  /** A link navigates, a button operates. */
  operation: "navigate" | "operate";
}

/** The control around an element, if it is in the header or the toolbar. */
export function clickOf(target: EventTarget | null): Click | undefined {
  if (!(target instanceof Element)) return undefined;
  const control = target.closest("a, button");
  const area = control?.closest("header, aside[aria-label='侧边工具栏']");
  if (!control || !area) return undefined;
  const name = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
  if (!name) return undefined;
  return {
    area: area.tagName === "HEADER" ? "header" : "toolbar",
    name: name.slice(0, 64),
    operation: control.tagName === "A" ? "navigate" : "operate",
  };
}

/** Reports a click. `since`: when the page was opened, Unix time in milliseconds. */
export async function report(click: Click, since: number): Promise<void> {
  const cookie = visitorId();
  if (!cookie) return;
  if (click.area === "toolbar") {
    await send("/support/click", { cookie, item: click.name, url: window.location.href, isJson: true });
    return;
  }
  await Promise.all([logAction(click, cookie), recordVisit(click, cookie, since)]);
}

function logAction(click: Click, touristId: string): Promise<unknown> {
  const { loginId, username } = currentStore().getState().session;
  return send("/action/log", {
    source: window.matchMedia("(max-width: 899px)").matches ? "phone" : "pc",
    touristId,
    user_id: loginId,
    username,
    template: document.title,
    tag: click.name,
    location: window.location.pathname,
    node: click.area,
  });
}

async function recordVisit(click: Click, visitor: string, since: number): Promise<void> {
  const { saveUserVisitRecord } = (await import("@/calls/analytics")).analyticsEndpoints;
  const record = {
    visitorId: visitor,
    startTime: since,
    endTime: Math.max(since, Date.now()),
    buttonName: click.name,
    eventType: "click",
    operationType: click.operation,
    processType: "",
    websiteModule: click.area,
    taskId: "",
  };
  await currentStore().dispatch(saveUserVisitRecord.initiate(record));
}
