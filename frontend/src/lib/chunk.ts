import { type ComponentType, lazy } from "react";
import { sessionStore } from "@/lib/storage";
import { failureMessages } from "@/messages/failures";

const RELOAD_KEY = "xuanlan.chunkReload";
/** A failed chunk reloads the page at most once in this time. */
export const RELOAD_EVERY_MS = 60_000;

/** A page's script failed to load, and the page was reloaded for that less than a minute ago. */
export class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
  constructor(cause: unknown) {
    super(failureMessages.chunkFailed, { cause });
  }
}

/** Whether the page may be reloaded now; records the reload. */
export function claimReload(now = Date.now()): boolean {
  const last = Number(sessionStore.get(RELOAD_KEY));
  // A future time means that the clock was set back; it must not block reloads forever.
  if (Number.isFinite(last) && last > 0 && last <= now && now - last < RELOAD_EVERY_MS) return false;
  // If it cannot be recorded, reloads could loop forever.
  return sessionStore.set(RELOAD_KEY, String(now));
}

/**
 * Loads a page's chunk. On failure the page is reloaded, at most once a minute: after a release
 * the old chunks are gone, and only a fresh document refers to the new ones. Without a network there is no fresh document:
 * a reload would replace the page by the browser's own.
 *
 * @param isReachable whether a fresh document can be had
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  reload: () => void = () => window.location.reload(),
  isReachable: () => Promise<boolean> = async () => window.navigator.onLine,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!(await isReachable()) || !claimReload()) throw new ChunkLoadError(cause);
    reload();
    // The document is unloading; nothing more is drawn.
    return new Promise<T>(() => undefined);
  }
}

/** An optional part: if it fails to load, it is left out. */
export const optional = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(() => ({ default: (() => null) as ComponentType<Props> })));
