import { readLoginId, readToken } from "@/session/cookies";
import type { CallArgs, CallOptions } from "./baseQuery";
import { getConfig } from "./config";
import { policyOf } from "./policies";
import { type Pairs, signForm, signJson } from "./signing";

/** A login, by the values of its cookies. */
export interface Caller {
  token: string;
  loginId: string;
}

export interface Prepared {
  url: string;
  init: RequestInit;
  token: string;
}

/** Name-value pairs as sent; absent values are omitted, empty ones stay. */
export function toPairs(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [];
  const pairs: [string, string][] = [];
  for (const [name, field] of Object.entries(value)) {
    for (const item of Array.isArray(field) ? field : [field]) {
      if (item === undefined || item === null) continue;
      pairs.push([name, typeof item === "object" ? JSON.stringify(item) : String(item)]);
    }
  }
  return pairs;
}

function encodePairs(pairs: Pairs): string {
  return new URLSearchParams([...pairs].map(([name, value]) => [name, value])).toString();
}

/**
 * Builds the request of a call: named headers, caller, signature.
 *
 * @param timestamp milliseconds since 1970, by the server's clock
 * @param caller who makes it: the current login, unless it was dropped already
 */
export function prepare(
  args: CallArgs,
  options: CallOptions,
  timestamp: number,
  caller: Caller = { token: readToken(), loginId: readLoginId() },
): Prepared {
  const config = getConfig();
  const policy = policyOf(args.url);
  const method = (args.method ?? "POST").toUpperCase();
  const token = policy.tokenEndpoint ? "" : caller.token;
  const headers: Record<string, string> = {
    "client-id": config.clientId,
    "client-secret": config.clientSecret,
    Accept: "application/json",
  };
  if (token) headers.Authorization = `Bearer ${token}`;

  const query = toPairs(args.params);
  const input = { method, path: args.url, token, timestamp };
  if (method === "GET") {
    query.push(["D", signForm(config, { ...input, query }, [])]);
    return { url: withQuery(args.url, query), init: { method, headers }, token };
  }
  const url = withQuery(args.url, query);
  if (options.isJson || policy.kind === "json") {
    const body = JSON.stringify(args.body ?? {});
    headers["Content-Type"] = "application/json";
    headers.md5 = signJson(config, { ...input, query }, body);
    return { url, init: { method, headers, body }, token };
  }
  const form = toPairs(args.body);
  const { loginId } = caller;
  if (policy.userId && !options.notFast && loginId && !form.some(([name]) => name === "userId")) {
    form.push(["userId", loginId]);
  }
  form.push(["D", signForm(config, { ...input, query }, form)]);
  headers["Content-Type"] = "application/x-www-form-urlencoded";
  return { url, init: { method, headers, body: encodePairs(form) }, token };
}

function withQuery(path: string, pairs: [string, string][]): string {
  return pairs.length > 0 ? `${path}?${encodePairs(pairs)}` : path;
}
