/**
 * The product's validators. Each returns whether a value is valid; the form chooses the message of a failure.
 * Except for `required`, texts are not trimmed.
 */

export function required(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return !(typeof value === "number" && Number.isNaN(value));
}

const EMAIL = /^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

export function email(value: string): boolean {
  return value.length <= 254 && EMAIL.test(value);
}

/** 1, then 1 to 9, then 9 digits. The sign-in forms are stricter: see the auth feature's rules. */
export function mobile(value: string): boolean {
  return /^1[1-9]\d{9}$/.test(value);
}

/** An optional area code of 3 or 4 digits, 7 or 8 digits, an optional extension. */
export function landline(value: string): boolean {
  return /^(?:0\d{2,3}-?)?[1-9]\d{6,7}(?:-\d{1,6})?$/.test(value);
}

export function fax(value: string): boolean {
  return landline(value);
}

/** A mobile or a landline number. */
export function phone(value: string): boolean {
  return mobile(value) || landline(value);
}

/** An absolute http or https address. */
export function url(value: string): boolean {
  if (/\s/.test(value)) return false;
  try {
    const { protocol, hostname } = new URL(value);
    return (protocol === "http:" || protocol === "https:") && hostname !== "";
  } catch {
    return false;
  }
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function matchDay(pattern: RegExp, value: string): boolean {
  const parts = pattern.exec(value);
  return parts !== null && isCalendarDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** A calendar date, written with slashes, hyphens or dots: 2024/2/29. */
export function date(value: string): boolean {
  return matchDay(/^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/, value);
}

/** A calendar date in the form 2024-02-29. */
export function isoDate(value: string): boolean {
  return matchDay(/^(\d{4})-(\d{2})-(\d{2})$/, value);
}

/** A decimal number, signed or not. */
export function number(value: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value);
}

export function digits(value: string): boolean {
  return /^\d+$/.test(value);
}

/** A positive whole number without a leading zero. */
export function amount(value: string): boolean {
  return /^[1-9]\d*$/.test(value);
}

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const ID_CHECKS = "10X98765432";

/** First two digits of an administrative division (GB/T 2260); 81 to 83 are of residence permits. */
export const PROVINCE = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])/;

/** An 18-character identity number: a known division, a valid birthday and the check character of GB 11643. */
export function idCard(value: string): boolean {
  const id = value.toUpperCase();
  if (!/^\d{17}[\dX]$/.test(id) || !PROVINCE.test(id)) return false;
  if (!isCalendarDay(Number(id.slice(6, 10)), Number(id.slice(10, 12)), Number(id.slice(12, 14))))
    return false;
  const sum = ID_WEIGHTS.reduce((total, weight, i) => total + weight * Number(id[i]), 0);
  return ID_CHECKS[sum % 11] === id[17];
}

export function equalTo<T>(value: T, other: T): boolean {
  return value === other;
}

export function contains(value: string, part: string): boolean {
  return value.includes(part);
}

/** Length in characters as users count them, so that an emoji or a rare ideograph is one. */
function lengthOf(value: string | readonly unknown[]): number {
  return typeof value === "string" ? [...value].length : value.length;
}

export function minLength(value: string | readonly unknown[], limit: number): boolean {
  return lengthOf(value) >= limit;
}

export function maxLength(value: string | readonly unknown[], limit: number): boolean {
  return lengthOf(value) <= limit;
}

export function rangeLength(value: string | readonly unknown[], low: number, high: number): boolean {
  return minLength(value, low) && maxLength(value, high);
}

export function min(value: number, limit: number): boolean {
  return value >= limit;
}

export function max(value: number, limit: number): boolean {
  return value <= limit;
}

export function range(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

export function lettersAndDigits(value: string): boolean {
  return /^[A-Za-z0-9]+$/.test(value);
}

export function noDuplicates(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

export type Device = "PC" | "mobile";

/** Kind of device by its user agent; tablets count as mobile. */
export function deviceOf(userAgent: string = navigator.userAgent): Device {
  return /Android|iPhone|iPad|iPod|Mobile|HarmonyOS.*Phone|Windows Phone|BlackBerry|webOS/i.test(userAgent)
    ? "mobile"
    : "PC";
}
