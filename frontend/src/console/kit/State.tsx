import { StatusTag } from "@/ui/StatusTag";
import { type Word, wordOf } from "./choices";

/** A state as a coloured label. */
export function State({ words, value }: { words: readonly Word[]; value: string }) {
  const { text, tone } = wordOf(words, value);
  return <StatusTag tone={tone}>{text || "—"}</StatusTag>;
}
