import type { Args, Calls, Events, Result } from "../../sdk/index.js";
import { admits, type Manifest } from "./manifest";

/** The calls of the embedding page; each returns its result or throws an error. */
export type Handlers = {
  [Name in keyof Calls]: (args: Args<Name>) => Result<Name> | Promise<Result<Name>>;
};

/** The call by which a page identifies itself. */
const HELLO = "hello";

interface Asked {
  xl: 1;
  id: number;
  call: keyof Calls | typeof HELLO;
  args: never;
}

function isAsked(data: unknown): data is Asked {
  if (typeof data !== "object" || data === null) return false;
  const { xl, id, call } = data as Partial<Record<keyof Asked, unknown>>;
  return xl === 1 && typeof id === "number" && typeof call === "string";
}

/**
 * The page's side of the postMessage API, version 1. Accepts messages only from the embedding page, and only from an origin
 * that may frame us; sends events after its first call.
 */
export function listen(manifest: Manifest, handlers: Handlers) {
  const parent = window.parent === window ? undefined : window.parent;
  let known: string | undefined;

  const answer = async ({ id, call, args }: Asked, origin: string) => {
    const say = (reply: object) => parent?.postMessage({ xl: 1, id, ...reply }, origin);
    if (call === HELLO) {
      say({ ok: {} });
      return;
    }
    const handler = Object.hasOwn(handlers, call) ? handlers[call] : undefined;
    if (!handler) {
      say({ error: `no such call: ${call.slice(0, 40)}` });
      return;
    }
    try {
      say({ ok: await handler((args ?? {}) as never) });
    } catch (error) {
      say({ error: error instanceof Error ? error.message : "failed" });
    }
  };

  window.addEventListener("message", ({ source, origin, data }) => {
    if (!parent || source !== parent || !isAsked(data) || !admits(manifest, origin)) return;
    known = origin;
    void answer(data, origin);
  });
  // Announces the listener to any embedding page; contains no data.
  parent?.postMessage({ xl: 1, event: HELLO }, "*");

  return <Name extends keyof Events>(event: Name, data: Events[Name]) => {
    if (known !== undefined) parent?.postMessage({ xl: 1, event, data }, known);
  };
}
