import { PUSHES, type Push } from "./generated";

export type * from "./generated";

/** A push of a type unknown to this page. */
export interface OtherMessage {
  type: "OTHER";
  /** The type as it was sent. */
  name: string;
}

export type RealtimeMessage = Push | OtherMessage;
export type RealtimeType = RealtimeMessage["type"];

/** Defaults of fields that an older server does not send. */
const ABSENT = { string: "", number: 0, boolean: false, object: null };

const isKnown = (type: string): type is Push["type"] => Object.hasOwn(PUSHES, type);

/** Parses the body of a frame; undefined if it is no push, or if a field has the wrong type. */
export function parseMessage(body: string): RealtimeMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const sent = value as Record<string, unknown>;
  if (typeof sent.type !== "string") return undefined;
  if (!isKnown(sent.type)) return { type: "OTHER", name: sent.type };
  const push: Record<string, unknown> = { type: sent.type };
  for (const [name, kind] of Object.entries(PUSHES[sent.type])) {
    const field = sent[name] ?? ABSENT[kind as keyof typeof ABSENT];
    if (typeof field !== kind) return undefined;
    push[name] = field;
  }
  return push as unknown as Push;
}
