/** Figures of a grade as texts. */
import { groupDigits } from "@/lib/digits";

/** A count with its unit; -1 is unlimited. */
export const amount = (number: number, unit: string, unlimited = "不限次") =>
  number < 0 ? unlimited : `${groupDigits(number)} ${unit}`;

/** GB, or TB from 1024 GB on. */
export const size = (gb: number) => (gb >= 1024 ? `${gb / 1024} TB` : `${gb} GB`);

/** Percentage to pay: 90 is 9 折. */
export const discount = (percent: number) => `${percent / 10} 折`;
