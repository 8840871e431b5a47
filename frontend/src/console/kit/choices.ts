import type { StatusTone } from "@/ui/StatusTag";

/** A value of the server with its label and colour. */
export interface Word {
  value: string;
  text: string;
  tone?: StatusTone;
}

/** The label of a value; an unknown value is shown as it is, never hidden. */
export const wordOf = (words: readonly Word[], value: string): Word =>
  words.find((one) => one.value === value) ?? { value, text: value };
