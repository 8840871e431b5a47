/** Every answer of the gateway. The result lies in `datas`. */
export interface Envelope {
  resp_code: number;
  resp_msg: string;
  datas: unknown;
}

/** What a call failed with; `message` is Chinese and may be shown. */
export interface ConsoleError {
  kind: "business" | "http" | "network";
  /** HTTP status; 0 when nothing was heard. */
  status: number;
  code: number;
  message: string;
}

export const SUCCESS = 60000;

export function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && typeof (value as Envelope).resp_code === "number";
}

/** What a failed call has to say; empty for what is no failed call. */
export function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null ? (error as ConsoleError).message : undefined;
  return typeof message === "string" ? message : "";
}

/** Whether the operator lacks the permission, rather than anything having gone wrong. */
export function isForbidden(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as ConsoleError).status === 403;
}

/** The call needs a second factor given within the last minutes. */
export const FRESH_FACTOR = 60210;

/** What was asked for does not exist. */
const NOT_FOUND = 60104;

export function isAbsent(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as ConsoleError).code === NOT_FOUND;
}
