import dayjs from "dayjs";
import { localStore } from "@/lib/storage";
import { readLoginId } from "./cookies";

/** Popups shown at most once a day; the ad of each place counts separately. */
export type DailyKind = "gift" | "reminder" | "expiring" | "vipExpired" | "memberPopup" | "ad1" | "ad2";

const key = (kind: DailyKind) => `xuanlan.closed.${kind}.${readLoginId()}`;

/** Records that it was shown to this user now. */
export function doneToday(kind: DailyKind, now = Date.now()): void {
  localStore.set(key(kind), String(now));
}

/** Whether it was shown on this calendar day; a time in the future does not count. */
export function wasDoneToday(kind: DailyKind, now = Date.now()): boolean {
  const done = Number(localStore.get(key(kind)));
  return done > 0 && dayjs(done).isSame(now, "day");
}
