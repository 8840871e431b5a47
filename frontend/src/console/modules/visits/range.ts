import { dayEnd, dayStart } from "@/ui/DateRange";
import type { AnalyticsVisitRange } from "../../api/generated/analytics";

export interface Preset {
  value: string;
  text: string;
  days: number;
}

export const PRESETS: readonly Preset[] = [
  { value: "today", text: "今天", days: 1 },
  { value: "7", text: "近 7 天", days: 7 },
  { value: "30", text: "近 30 天", days: 30 },
  { value: "90", text: "近 90 天", days: 90 },
  { value: "395", text: "近 13 个月", days: 395 },
];
export const DEFAULT_PRESET = "30";

/** Ranges up to this length are shown by the hour. */
const HOURLY_DAYS = 2;
const DAY_MS = 86_400_000;

/** The counts are stored by days and hours of Beijing, in whichever time zone the operator is. */
const BEIJING_MS = 8 * 3_600_000;

/** Start of the first of the last `days` days, including today. */
export const daysBefore = (days: number, now = Date.now()): number =>
  Math.floor((now + BEIJING_MS) / DAY_MS) * DAY_MS - BEIJING_MS - (days - 1) * DAY_MS;

/** The range of the address: two days in the operator's time zone, else a preset. */
export function rangeOf(query: URLSearchParams): Required<AnalyticsVisitRange> & { preset: string } {
  const from = dayStart(query.get("from") ?? "");
  if (from !== undefined) {
    const to = dayEnd(query.get("to") ?? "") ?? 0;
    const length = (to || Date.now()) - from;
    return { period: length <= HOURLY_DAYS * DAY_MS ? "hour" : "day", from, to, preset: "" };
  }
  const asked = PRESETS.find(({ value }) => value === query.get("range"));
  const preset = asked ?? PRESETS.find(({ value }) => value === DEFAULT_PRESET);
  const { value, days } = preset ?? { value: DEFAULT_PRESET, days: 30 };
  return { period: days <= HOURLY_DAYS ? "hour" : "day", from: daysBefore(days), to: 0, preset: value };
}

/** Axis label of an hour or a day. */
export function pointLabel(start: number, period: string): string {
  const text = new Date(Number(start) + BEIJING_MS).toISOString();
  return period === "hour" ? text.slice(5, 16).replace("T", " ") : text.slice(0, 10);
}
