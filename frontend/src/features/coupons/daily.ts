import dayjs from "dayjs";
import { localStore } from "@/lib/storage";
import { readLoginId } from "@/session";

/** What is shown at most once a day. */
export type DailyKind = "gift" | "reminder" | "expiring" | "vipExpired";

const key = (kind: DailyKind) => `xuanlan.closed.${kind}.${readLoginId()}`;

/** Keeps that the person has closed it now. */
export function closedToday(kind: DailyKind, now = Date.now()): void {
  localStore.set(key(kind), String(now));
}

/** Whether it was closed on this calendar day; a time in the future counts as none. */
export function wasClosedToday(kind: DailyKind, now = Date.now()): boolean {
  const closed = Number(localStore.get(key(kind)));
  return closed > 0 && dayjs(closed).isSame(now, "day");
}
