import type { StatusTone } from "@/ui/StatusTag";

/** A state as the server writes it, in words and colour. */
export interface Word {
  value: string;
  text: string;
  tone?: StatusTone;
}

/** The word for a value; what is not known is shown as it is, never hidden. */
export const wordOf = (words: readonly Word[], value: string): Word =>
  words.find((one) => one.value === value) ?? { value, text: value };
