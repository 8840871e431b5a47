import type { BaseQueryFn } from "@reduxjs/toolkit/query";
import { turn } from "@/lib/turn";
import { failureMessages } from "@/messages/failures";
import { readLoginId, readToken } from "@/session/cookies";
import { renewalOver, successor } from "@/session/renewal";
import { toast } from "@/ui/toast";
import { type ApiError, isEnvelope, NOT_OPEN, NOTED, SUCCESS_CODES, serverTimeOf } from "./envelope";
import { accountChanged, unauthorized } from "./events";
import type { Caller } from "./prepare";
import { canProve, PROOF_NEEDED, proveIdentity } from "./proof";

export interface CallArgs {
  url: string;
  method?: string;
  body?: unknown;
  params?: unknown;
}

/** Per-endpoint exceptions to the shared behaviour; set with `enhanceEndpoints`. */
export interface CallOptions {
  /** Codes that mean success instead of 60000, 60212 and 60110. */
  successCodes?: readonly number[];
  /** A failure of this call is not shown to the user (the caller reports it itself). */
  silent?: boolean;
  /** Codes that the caller reports itself; all other failures are shown as usual. */
  ownCodes?: readonly number[];
  /** A load in the background, as every query is: silent when its service is not open yet or cannot be reached. */
  background?: boolean;
  /** The message of a success with code 60212 is shown beside its result. */
  tellNote?: boolean;
  /** The body is sent as JSON and signed by the header `md5`. */
  isJson?: boolean;
  /** `userId` is not added to the form. */
  notFast?: boolean;
  /** The call renews the token. */
  renews?: boolean;
}

export interface CallMeta {
  /** resp_code of the response; distinguishes 60212 from 60000. */
  code: number;
  message: string;
}

const TIMEOUT_MS = 30_000;

/** Server's clock minus ours, in milliseconds; learnt from responses. */
let clockOffset = 0;

export function resetClockOffset(): void {
  clockOffset = 0;
}

/** Now, in milliseconds, by the server's clock if known. */
export function serverNow(): number {
  return Date.now() + clockOffset;
}

/** Every response carries the server's time to the second, which reveals a wrong clock early. */
function learnClock(answer: Response): void {
  const date = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isFinite(date)) return;
  const offset = date - Date.now();
  if (Math.abs(offset - clockOffset) > 2_000) clockOffset = offset;
}

interface Heard {
  status: number;
  body: unknown;
  token: string;
  /** Refused because the login was renewed or ended while the call was on its way: this says nothing about the current one. */
  outdated?: boolean;
}

/** Ciphers and policies load with the first call: a page that makes none does not wait for them. */
const loadPrepare = () => import(/* webpackChunkName: "prepare" */ "./prepare");

interface Call {
  args: CallArgs;
  options: CallOptions;
  signal: AbortSignal;
  /** The account that the page showed when the call was made; empty for a visitor. */
  whose: string;
  /** Another login than the current one. */
  caller?: Caller;
}

/** The call was made for one account, and the cookies now name another, by which it would be done. */
class OtherAccount extends Error {}

async function send({ args, options, signal, whose, caller }: Call): Promise<Heard> {
  const { prepare } = await loadPrepare();
  // a signature takes a phone some 20 ms: each in a task of its own
  await turn();
  const { url, init, token } = prepare(args, options, serverNow(), caller);
  const current = readLoginId();
  if (token && whose && current && current !== whose) throw new OtherAccount();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, {
    ...init,
    // A login that is dropped already may be followed by leaving the page.
    keepalive: caller !== undefined,
    signal: AbortSignal.any([signal, timeout]),
  });
  learnClock(answer);
  const text = await answer.text();
  return { status: answer.status, body: parseJson(text), token };
}

/**
 * Sends a call; one whose token was renewed on its way, here or in another tab, is sent once more with the new one: a 401 means
 * that nothing was done.
 */
async function sendOn(call: Call): Promise<Heard> {
  const heard = await send(call);
  if (heard.status !== 401 || !heard.token || call.caller) return heard;
  // The old token is refused before the new one is in the cookie.
  await (call.options.renews ? successor : renewalOver)(heard.token);
  const token = readToken();
  if (token === heard.token) return heard;
  const again = token && !call.options.renews ? await send(call) : heard;
  return { ...again, outdated: true };
}

/** Sends a call; where the clock is wrong by minutes, adopts the server's and sends it once more. */
async function sendInTime(call: Call): Promise<Heard> {
  const heard = await sendOn(call);
  const serverTime = isEnvelope(heard.body) ? serverTimeOf(heard.body) : undefined;
  if (serverTime === undefined || !isEnvelope(heard.body) || SUCCESS_CODES.includes(heard.body.resp_code))
    return heard;
  clockOffset = serverTime - Date.now();
  return sendOn(call);
}

/** Makes a call for a login that this page has dropped. Nobody waits for its result. */
export async function sendFor(caller: Caller, args: CallArgs): Promise<void> {
  const { signal } = new AbortController();
  await sendInTime({ args, options: {}, signal, whose: "", caller }).catch(() => undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows a failure, unless the message itself speaks of success. */
function showError(error: ApiError, options: CallOptions): void {
  if (options.silent) return;
  if (error.kind !== "network" && options.ownCodes?.includes(error.code)) return;
  if (options.background && (error.kind === "network" || error.code === NOT_OPEN)) return;
  if (error.message && !error.message.includes("成功")) toast.error(error.message);
}

export const baseQuery: BaseQueryFn<CallArgs, unknown, ApiError, CallOptions, CallMeta> = async (
  args,
  api,
  extra,
) => {
  let options: CallOptions = { background: api.type === "query", ...extra };
  const { session } = api.getState() as { session: { loginId: string } };
  const call: Call = { args, options, signal: api.signal, whose: session.loginId };
  let heard: Heard;
  try {
    heard = await sendInTime(call);
    // A user who confirms their identity continues with the same call.
    if (isEnvelope(heard.body) && heard.body.resp_code === PROOF_NEEDED) {
      if (await proveIdentity()) heard = await sendOn(call);
      // Whoever was asked and declined knows why nothing was done.
      else if (canProve()) options = { ...options, silent: true };
    }
  } catch (reason) {
    if (reason instanceof OtherAccount) {
      api.dispatch(accountChanged());
      const message = failureMessages.otherAccount;
      return { error: { kind: "http", status: 401, code: 401, message, datas: null } };
    }
    const error: ApiError = { kind: "network", message: failureMessages.network };
    if (!api.signal.aborted) showError(error, options);
    return { error };
  }

  if (heard.status === 401) {
    if (!heard.outdated) {
      if (!options.silent) toast.error(failureMessages.signIn);
      api.dispatch(unauthorized());
    }
    const code = isEnvelope(heard.body) ? heard.body.resp_code : 401;
    return { error: { kind: "http", status: 401, code, message: failureMessages.signIn, datas: null } };
  }
  if (!isEnvelope(heard.body)) {
    const error: ApiError = {
      kind: "http",
      status: heard.status,
      code: heard.status,
      message: failureMessages.unreadable(heard.status),
      datas: null,
    };
    showError(error, options);
    return { error };
  }

  const { resp_code: code, resp_msg: message, datas } = heard.body;
  if ((options.successCodes ?? SUCCESS_CODES).includes(code)) {
    if (options.tellNote && code === NOTED && message) toast.warning(message);
    return { data: datas ?? null, meta: { code, message } };
  }
  const error: ApiError =
    heard.status >= 400
      ? { kind: "http", status: heard.status, code, message, datas }
      : { kind: "business", code, message, datas };
  showError(error, options);
  return { error, meta: { code, message } };
};
