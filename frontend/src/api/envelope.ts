/** Every response of the gateway. The result is in `datas`. */
export interface Envelope {
  resp_code: number;
  resp_msg: string;
  datas: unknown;
}

/** The failure of a call; `message` is Chinese and may be shown. */
export type ApiError =
  /** Refused by a business rule; `code` identifies the reason. */
  | { kind: "business"; code: number; message: string; datas: unknown }
  /** Refused by the gateway; `status` is the HTTP status, 401 for a token that is not accepted. */
  | { kind: "http"; status: number; code: number; message: string; datas: unknown }
  /** No response from the server. */
  | { kind: "network"; message: string };

export const SUCCESS = 60000;
/** The service behind the call has not been opened yet. */
export const NOT_OPEN = 60404;
/** A limit of the user's grade, or a limit for all users, is used up. */
export const QUOTA = 60106;
/** The order was created, with a message for the user. */
export const NOTED = 60212;
/** Codes that the shared wrapper treats as success; 60212 and 60110 carry a message beside their result. */
export const SUCCESS_CODES: readonly number[] = [SUCCESS, NOTED, 60110];

export function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && typeof (value as Envelope).resp_code === "number";
}

/** The server's time in milliseconds, if the response reports it because our timestamp was stale. */
export function serverTimeOf(envelope: Envelope): number | undefined {
  const datas = envelope.datas;
  if (typeof datas !== "object" || datas === null) return undefined;
  const time = (datas as { serverTime?: unknown }).serverTime;
  return typeof time === "number" && Number.isFinite(time) ? time : undefined;
}

export function apiErrorOf(error: unknown): ApiError | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const kind = (error as ApiError).kind;
  return kind === "business" || kind === "http" || kind === "network" ? (error as ApiError) : undefined;
}

/** The business code of an error, or 0. */
export function codeOf(error: unknown): number {
  const known = apiErrorOf(error);
  return known && known.kind !== "network" ? known.code : 0;
}

export function messageOf(error: unknown): string {
  return apiErrorOf(error)?.message ?? "";
}
