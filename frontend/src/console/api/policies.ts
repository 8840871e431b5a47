import { type CallPolicy, callPolicies } from "./generated/policies";

const templates = Object.keys(callPolicies)
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Policy of a call by its path; every call of the console is listed in its contract. */
export function policyOf(path: string): CallPolicy {
  const key = path in callPolicies ? path : templates.find(({ pattern }) => pattern.test(path))?.path;
  const policy = key === undefined ? undefined : callPolicies[key];
  if (!policy) throw new Error(`no call ${path} in the console's contract`);
  return policy;
}
