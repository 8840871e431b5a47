import { callPolicies } from "./generated.policies";

export interface CallPolicy {
  kind: "form" | "json" | "get";
  /** The form names the caller. Calls whose form has no such field go without it. */
  userId: boolean;
  /** The bearer token is not sent: the call hands out a new one. */
  tokenEndpoint: boolean;
}

const tokenEndpoints = new Set([
  "/api-auth/oauth/user/token",
  "/api-auth/oauth/user/loginByphone",
  "/api-auth/oauth/user/registerPhone",
]);

const templates = Object.keys(callPolicies)
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Policy of a call by its path. A call that is not in the contract is a signed form with `userId`. */
export function policyOf(path: string): CallPolicy {
  const key = path in callPolicies ? path : templates.find(({ pattern }) => pattern.test(path))?.path;
  const known = key === undefined ? undefined : callPolicies[key];
  return { kind: "form", userId: true, ...known, tokenEndpoint: tokenEndpoints.has(path) };
}
