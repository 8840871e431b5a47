/** Every response of the gateway. The result is in `datas`. */
export interface Envelope {
  resp_code: number;
  resp_msg: string;
  datas: unknown;
}

/** The failure of a call; `message` is Chinese and may be shown. */
export interface ConsoleError {
  kind: "business" | "http" | "network";
  /** HTTP status; 0 without a response. */
  status: number;
  code: number;
  message: string;
}

export const SUCCESS = 60000;

export function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && typeof (value as Envelope).resp_code === "number";
}

/** The message of a failed call; empty for anything else. */
export function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null ? (error as ConsoleError).message : undefined;
  return typeof message === "string" ? message : "";
}

/** Whether the operator lacks the permission, as opposed to other failures. */
export function isForbidden(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as ConsoleError).status === 403;
}

/** The call requires a second factor entered within the last minutes. */
export const FRESH_FACTOR = 60210;

/** The requested object does not exist. */
const NOT_FOUND = 60104;

export function isAbsent(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as ConsoleError).code === NOT_FOUND;
}
