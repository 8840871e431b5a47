import { type ComponentType, lazy } from "react";
import { sessionStore } from "@/lib/storage";
import { errorMessages } from "@/messages/errors";

const RELOAD_KEY = "xuanlan.chunkReload";
/** A failed page chunk reloads the page at most once in this time. */
export const RELOAD_EVERY_MS = 60_000;

/** A page's script could not be loaded, and the page was reloaded for it less than a minute ago. */
export class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
  constructor(cause: unknown) {
    super(errorMessages.chunkFailed, { cause });
  }
}

/** Whether the page may be reloaded now; remembers that it was. */
export function claimReload(now = Date.now()): boolean {
  const last = Number(sessionStore.get(RELOAD_KEY));
  // A time in the future comes from a clock that was set back; it must not lock reloads for ever.
  if (Number.isFinite(last) && last > 0 && last <= now && now - last < RELOAD_EVERY_MS) return false;
  // Without a place to remember it, reloading could go round for ever.
  return sessionStore.set(RELOAD_KEY, String(now));
}

/**
 * Loads a page's chunk. When that fails the page is reloaded, at most once a minute: after a release
 * the old chunks are gone, and only a fresh document knows the new ones.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  reload: () => void = () => window.location.reload(),
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!claimReload()) throw new ChunkLoadError(cause);
    reload();
    // The document is going away; nothing more is to be drawn.
    return new Promise<T>(() => undefined);
  }
}

/** A part that is not worth breaking a page for: what cannot be loaded is left out. */
export const optional = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(() => ({ default: (() => null) as ComponentType<Props> })));
