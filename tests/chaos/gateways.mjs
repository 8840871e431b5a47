/** Chooses gateways like a load balancer: those that report ready, in turn. Also classifies refusals. */
import { setTimeout as pause } from "node:timers/promises";

export { pause };

const LOOK_MS = 150;

export class Gateways {
  #at = 0;

  constructor(urls) {
    this.urls = urls;
    this.ready = new Set(urls);
    for (const url of urls) this.#watch(url);
  }

  async #watch(url) {
    for (;;) {
      let ready = false;
      try {
        const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1500) });
        await reply.body?.cancel();
        ready = reply.ok;
      } catch {
        // No response.
      }
      if (ready) this.ready.add(url);
      else this.ready.delete(url);
      await pause(LOOK_MS, undefined, { ref: false });
    }
  }

  /** The next gateway that is ready; any if none is. */
  next() {
    const among = this.urls.filter((url) => this.ready.has(url));
    const from = among.length ? among : this.urls;
    this.#at += 1;
    return from[this.#at % from.length];
  }
}

/** A response that is not a success. */
export class Refused extends Error {
  constructor(call, status, code, message, store = false) {
    super(`${call} answered ${status} ${code} ${message}`);
    Object.assign(this, { call, status, code, told: message, store });
  }
}

/** Errors that follow from lost cache entries: a code or puzzle created before Redis was restarted. */
const FORGOTTEN = /验证码|验证已失效|智能验证|the slider|the sandbox|no message reached/;

/**
 * The report's entry for an error. Clear: no response, 503 or 504 with the envelope, a business error, an S3
 * error of an unavailable store. Everything else is broken.
 */
export function refusal(error) {
  if (error instanceof Refused) {
    const { call, status, code, told, store } = error;
    const enveloped = code === status && (status === 503 || status === 504 || status === 429);
    const clear = store
      ? status >= 400 || status === 0
      : enveloped || (status === 200 && FORGOTTEN.test(told));
    return { call, status, code, message: String(told).slice(0, 120), broken: !clear };
  }
  const message = String(error?.cause?.code ?? error?.cause?.message ?? error?.message ?? error);
  const network =
    error?.cause !== undefined || /fetch failed|terminated|aborted/.test(String(error?.message));
  return { status: 0, message: message.slice(0, 160), broken: !(network || FORGOTTEN.test(message)) };
}
