import type { PersonalChatConsoleLine } from "../../api/generated/personal";

type Line = PersonalChatConsoleLine;

/** The loaded part of a conversation: lines without a gap, and whether older ones exist. */
export interface Known {
  lines: readonly Line[];
  older: boolean;
}

/**
 * Merges the newest lines into the known ones. If so many have arrived that there is a gap, the known ones are dropped:
 * they can be loaded again as older lines, whereas a gap would go unnoticed.
 */
export function withNewest(known: Known | undefined, lines: readonly Line[], more: boolean): Known {
  const first = lines[0];
  const at = first && known ? known.lines.findIndex(({ id }) => id === first.id) : -1;
  if (!known || (at < 0 && (more || lines.length === 0))) return { lines, older: more };
  if (at < 0) return { lines, older: false };
  return { lines: [...known.lines.slice(0, at), ...lines], older: at > 0 ? known.older : more };
}

/** Prepends older lines to the known ones. */
export function withOlder(known: Known, lines: readonly Line[], more: boolean): Known {
  const ids = new Set(known.lines.map(({ id }) => id));
  return { lines: [...lines.filter(({ id }) => !ids.has(id)), ...known.lines], older: more };
}

export const pathOf = (loginId: string): string => `/chat/${encodeURIComponent(loginId)}`;
