import { StatusTag } from "@/ui/StatusTag";
import { type Word, wordOf } from "./choices";

/** A state in words with its colour. */
export function State({ words, value }: { words: readonly Word[]; value: string }) {
  const { text, tone } = wordOf(words, value);
  return <StatusTag tone={tone}>{text || "—"}</StatusTag>;
}
