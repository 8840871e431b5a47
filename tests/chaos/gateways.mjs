/** Which gateway to go to, as a balancer decides it: those that say they are ready, in turn. And what a refusal was. */
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
        // Nobody there.
      }
      if (ready) this.ready.add(url);
      else this.ready.delete(url);
      await pause(LOOK_MS, undefined, { ref: false });
    }
  }

  /** The next one that is ready; any when none is. */
  next() {
    const among = this.urls.filter((url) => this.ready.has(url));
    const from = among.length ? among : this.urls;
    this.#at += 1;
    return from[this.#at % from.length];
  }
}

/** An answer that was no success. */
export class Refused extends Error {
  constructor(call, status, code, message, store = false) {
    super(`${call} answered ${status} ${code} ${message}`);
    Object.assign(this, { call, status, code, told: message, store });
  }
}

/** Business answers that follow from what a cache forgot: a code or puzzle that was made before Redis was restarted. */
const FORGOTTEN = /验证码|验证已失效|智能验证|the slider|the sandbox|no message reached/;

/**
 * What stands in the report about an error. Clear: nobody there, 503 or 504 with the envelope, a business answer, an S3
 * error of a store that is away. Everything else is broken.
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
