import { StorageError } from "./errors";
import { backoffMs } from "./plan";
import { abortError, isAbort } from "./s3";

/** Tries in a row without a response, while the browser reports that it is online, before a request fails: about 4 minutes. */
const MAX_TRIES = 12;

export interface LineParts {
  /** target of the browser's `online` and `offline` events */
  events?: EventTarget;
  isOnline?: () => boolean;
  backoff?: (attempt: number) => number;
}

/**
 * The network connection, shared by all uploads of the page. When it breaks, every request waits here and one at a time is
 * sent as a probe, with growing pauses, so that a broken connection is not hit by a storm of requests.
 * The browser's own `online` and `offline` only speed this up, since they say nothing about the store.
 */
export class Line {
  private down = false;
  private tries = 0;
  /** a probe is in flight */
  private probing = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** callbacks that release the waiting requests, in order of arrival */
  private readonly queue = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private readonly isOnline: () => boolean;
  private readonly backoff: (attempt: number) => number;

  constructor({
    events = typeof window === "undefined" ? undefined : window,
    isOnline = () => navigator.onLine,
    backoff = backoffMs,
  }: LineParts = {}) {
    this.isOnline = isOnline;
    this.backoff = backoff;
    events?.addEventListener("offline", () => this.lost());
    events?.addEventListener("online", () => {
      if (!this.down) return;
      this.tries = 0;
      this.probe();
    });
  }

  isDown = (): boolean => this.down;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Runs a request until it gets a response, of any kind. `ready` delays each try while paused; `work` calls
   * `alive` as soon as bytes flow.
   */
  async carry<T>(
    signal: AbortSignal,
    work: (alive: () => void) => Promise<T>,
    ready?: (signal: AbortSignal) => Promise<void>,
  ): Promise<T> {
    for (;;) {
      await ready?.(signal);
      const probe = await this.turn(signal);
      try {
        const result = await work(this.found);
        this.found();
        return result;
      } catch (error) {
        if (isAbort(error)) {
          if (probe) this.again();
          throw error;
        }
        if (!(error instanceof StorageError) || !isUnanswered(error)) {
          // a refusal is a response; a file error says nothing about the connection
          if (error instanceof StorageError && error.status > 0) this.found();
          else if (probe) this.again();
          throw error;
        }
        this.lost(probe);
        if (this.tries >= MAX_TRIES && this.isOnline()) {
          this.tries = 0;
          throw new StorageError("unreachable", error.message);
        }
      }
    }
  }

  /** Resolves when a request may be sent; true: as a probe. */
  private async turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) throw abortError();
    if (!this.down) return false;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        this.queue.delete(go);
        resolve();
      };
      const stop = () => {
        this.queue.delete(go);
        reject(abortError());
      };
      signal.addEventListener("abort", stop, { once: true });
      this.queue.add(go);
      if (this.timer === undefined && !this.probing) this.probe();
    });
    return this.down;
  }

  private readonly found = (): void => {
    if (!this.down) return;
    this.down = false;
    this.tries = 0;
    this.probing = false;
    this.stopTimer();
    for (const go of [...this.queue]) go();
    this.tell();
  };

  /** Requests that were in flight when the connection broke fail together and count once. */
  private lost(probe = false): void {
    if (this.down && !probe) return;
    const first = !this.down;
    this.down = true;
    this.tries += 1;
    this.again();
    if (first) this.tell();
  }

  private again(): void {
    this.probing = false;
    this.stopTimer();
    this.timer = setTimeout(() => this.probe(), this.backoff(Math.max(1, this.tries)));
  }

  /** Releases one request as a probe; without any, the next that arrives. */
  private probe(): void {
    this.stopTimer();
    if (!this.down || this.probing) return;
    const [next] = this.queue;
    if (!next) return;
    this.probing = true;
    next();
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** No response at all: neither the server's refusal nor an unreadable file. */
function isUnanswered(error: StorageError): boolean {
  return error.fault === "transient" && error.status === 0;
}
