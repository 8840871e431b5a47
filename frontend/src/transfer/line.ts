import { StorageError } from "./errors";
import { backoffMs } from "./plan";
import { abortError, isAbort } from "./s3";

/** Tries in a row without an answer, while the browser believes to be online, before a request fails: about 4 minutes. */
const MAX_TRIES = 12;

export interface LineParts {
  /** where the browser tells `online` and `offline` */
  events?: EventTarget;
  isOnline?: () => boolean;
  backoff?: (attempt: number) => number;
}

/**
 * The network as all uploads of the page see it. When it breaks, every request waits here and one at a time is let
 * through, with growing pauses, to find out whether it is back: a broken line is not met with a storm of requests.
 * The browser's own `online` and `offline` only speed this up, since they say nothing about the store.
 */
export class Line {
  private down = false;
  private tries = 0;
  /** a request is out to find out */
  private probing = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** what lets each waiting request go, in order of arrival */
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
   * Runs a request until it is answered, whatever the answer. `ready` holds each try back, for a pause; `work` calls
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
          // a refusal is an answer; a fault of the file says nothing about the line
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

  /** Resolves when a request may go out; true: to find out whether the line is back. */
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

  /** Requests that were under way when the line broke fail together and count once. */
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

  /** Lets one request through; without any, the next that comes. */
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

/** No answer at all: not the server's refusal, nor a file that cannot be read. */
function isUnanswered(error: StorageError): boolean {
  return error.fault === "transient" && error.status === 0;
}
