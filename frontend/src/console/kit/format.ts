import dayjs from "dayjs";

const DASH = "—";

/** Milliseconds since 1970 as a date and time in the operator's time zone; empty for 0. */
export function moment(time: number | string | undefined | null): string {
  const value = Number(time);
  return value > 0 ? dayjs(value).format("YYYY-MM-DD HH:mm:ss") : DASH;
}

/** The same without seconds, for tables. */
export function minute(time: number | string | undefined | null): string {
  const value = Number(time);
  return value > 0 ? dayjs(value).format("YYYY-MM-DD HH:mm") : DASH;
}

const UNITS: readonly [number, string][] = [
  [86_400, "天"],
  [3_600, "小时"],
  [60, "分钟"],
  [1, "秒"],
];

/** A duration in its largest unit: `3 小时`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [size, name] = UNITS.find(([least]) => whole >= least) ?? [1, "秒"];
  return `${Math.floor(whole / size)} ${name}`;
}

/** How long ago, as `3 小时前`. */
export function ago(time: number | string | undefined | null, now = Date.now()): string {
  const value = Number(time);
  if (!(value > 0)) return DASH;
  const seconds = (now - value) / 1000;
  return seconds < 5 ? "刚刚" : `${span(seconds)}前`;
}

export const count = (value: number | string | undefined | null): string =>
  Number(value ?? 0).toLocaleString("zh-CN");

/** Text, or a dash if there is none. */
export const shown = (value: string | number | undefined | null): string =>
  value === undefined || value === null || value === "" ? DASH : String(value);
