import type { BaseQueryFn } from "@reduxjs/toolkit/query";
import { failureMessages } from "@/messages/failures";
import { type ConsoleError, FRESH_FACTOR, isEnvelope, SUCCESS } from "./envelope";
import { heard, permissionRefused, tokenRefused } from "./events";
import { policyOf } from "./policies";
import { reconfirm } from "./reconfirm";
import { readToken } from "./token";

export interface CallArgs {
  url: string;
  method?: string;
  body?: unknown;
  params?: unknown;
}

const TIMEOUT_MS = 30_000;

/** Name-value pairs as sent; absent values are omitted. */
function pairs(value: unknown): URLSearchParams {
  const list = new URLSearchParams();
  for (const [name, field] of Object.entries(value ?? {})) {
    for (const item of Array.isArray(field) ? field : [field]) {
      if (item !== undefined && item !== null)
        list.append(name, typeof item === "object" ? JSON.stringify(item) : String(item));
    }
  }
  return list;
}

interface Answer {
  status: number;
  body: unknown;
  token: string;
}

async function send(args: CallArgs, signal: AbortSignal): Promise<Answer> {
  const policy = policyOf(args.url);
  const method = (args.method ?? "POST").toUpperCase();
  const token = policy.tokenEndpoint ? "" : readToken();
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const query = pairs(args.params).toString();
  const init: RequestInit = { method, headers, credentials: "omit", cache: "no-store" };
  if (method !== "GET") {
    const json = policy.kind === "json";
    headers["Content-Type"] = json ? "application/json" : "application/x-www-form-urlencoded";
    init.body = json ? JSON.stringify(args.body ?? {}) : pairs(args.body).toString();
  }
  const answer = await fetch(query ? `${args.url}?${query}` : args.url, {
    ...init,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: answer.status, body, token };
}

const isFreshAsked = ({ body }: Answer) => isEnvelope(body) && body.resp_code === FRESH_FACTOR;

/**
 * Calls the server: the token in a header, no cookie, no signature (the console's listener is not public). A
 * call that needs a fresh second factor asks the operator for one and is sent again.
 */
export const baseQuery: BaseQueryFn<CallArgs, unknown, ConsoleError> = async (args, api) => {
  let answer: Answer;
  try {
    answer = await send(args, api.signal);
    if (isFreshAsked(answer) && (await reconfirm())) answer = await send(args, api.signal);
  } catch {
    return { error: { kind: "network", status: 0, code: 0, message: failureMessages.network } };
  }
  const { status, body, token } = answer;
  if (status === 401 && token !== "" && token === readToken()) api.dispatch(tokenRefused());
  else if (token !== "" && status < 500) api.dispatch(heard(Date.now()));
  if (status === 403 && token !== "") api.dispatch(permissionRefused());
  if (!isEnvelope(body)) {
    return { error: { kind: "http", status, code: status, message: failureMessages.unreadable(status) } };
  }
  const { resp_code: code, resp_msg: message, datas } = body;
  if (code === SUCCESS) return { data: datas ?? null };
  return { error: { kind: status >= 400 ? "http" : "business", status, code, message } };
};
