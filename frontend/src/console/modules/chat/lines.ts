import type { PersonalChatConsoleLine } from "../../api/generated/personal";

type Line = PersonalChatConsoleLine;

/** What is known of a conversation: lines without a hole, and whether older ones exist. */
export interface Known {
  lines: readonly Line[];
  older: boolean;
}

/**
 * The newest lines put to the known ones. When so much has come meanwhile that they do not touch, the known ones go:
 * they can be read again as older ones, whereas a hole would not be seen.
 */
export function withNewest(known: Known | undefined, lines: readonly Line[], more: boolean): Known {
  const first = lines[0];
  const at = first && known ? known.lines.findIndex(({ id }) => id === first.id) : -1;
  if (!known || (at < 0 && (more || lines.length === 0))) return { lines, older: more };
  if (at < 0) return { lines, older: false };
  return { lines: [...known.lines.slice(0, at), ...lines], older: at > 0 ? known.older : more };
}

/** Older lines put before the known ones. */
export function withOlder(known: Known, lines: readonly Line[], more: boolean): Known {
  const ids = new Set(known.lines.map(({ id }) => id));
  return { lines: [...lines.filter(({ id }) => !ids.has(id)), ...known.lines], older: more };
}

export const pathOf = (loginId: string): string => `/chat/${encodeURIComponent(loginId)}`;
