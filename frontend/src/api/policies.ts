import { type CallPolicy, callPolicies } from "./generated/policies";

/** A call outside the contract is a signed form with `userId`. */
const unknown: CallPolicy = { kind: "form", userId: true, tokenEndpoint: false };

const templates = Object.keys(callPolicies)
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Policy of a call by its path. */
export function policyOf(path: string): CallPolicy {
  const key = path in callPolicies ? path : templates.find(({ pattern }) => pattern.test(path))?.path;
  return (key === undefined ? undefined : callPolicies[key]) ?? unknown;
}
