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

/** The code of a failed call; 0 for anything else. */
export const codeOf = (error: unknown): number =>
  typeof error === "object" && error !== null ? ((error as Partial<ConsoleError>).code ?? 0) : 0;

/** Whether the operator lacks the permission, as opposed to other failures. */
export function isForbidden(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as ConsoleError).status === 403;
}

/** The call requires a second factor entered within the last minutes. */
export const FRESH_FACTOR = 60210;
/** The operator's current password is wrong. */
export const WRONG_PASSWORD = 60203;
/** The code is not the one that the authenticator app shows. */
export const WRONG_CODE = 60204;

/** The object is in another state than the operator saw. */
export const CONFLICT = 60105;

/** The requested object does not exist. */
const NOT_FOUND = 60104;

export const isAbsent = (error: unknown): boolean => codeOf(error) === NOT_FOUND;
