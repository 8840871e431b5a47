/** The permission to read what `id` changes, if there is one; the server adds it to a role as well. */
function readingOf(id: string, known: readonly string[]): string | undefined {
  const reading = `${id.slice(0, id.lastIndexOf("."))}.read`;
  return reading !== id && known.includes(reading) ? reading : undefined;
}

/** `chosen` with the reading permissions without which the others lead nowhere. */
export function withReading(chosen: readonly string[], known: readonly string[]): string[] {
  const reading = chosen.flatMap((id) => readingOf(id, known) ?? []);
  return [...new Set([...chosen, ...reading])];
}

/** Whether another permission of `chosen` needs the reading permission `id`. */
export const isNeeded = (id: string, chosen: readonly string[], known: readonly string[]): boolean =>
  chosen.some((one) => readingOf(one, known) === id);
