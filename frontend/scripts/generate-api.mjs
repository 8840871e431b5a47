/**
 * Generates src/api/generated from the published contract (proto/openapi.json): for each of its areas (the tag of a
 * call, which is its service) one file with an RTK Query endpoint a call, and beside them the policy table that the
 * base query reads.
 *
 * The contract describes the whole envelope; the base query unwraps it, so the endpoints are typed by `datas`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateEndpoints } from "@rtk-query/codegen-openapi";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const contract = path.resolve(root, "../proto/openapi.json");
const folder = path.join(root, "src/api/generated");
const output = (area) => path.join(folder, `${area}.ts`);
/** Apart from the endpoints, so that the base query may read it without an import cycle. */
const POLICIES = "policies";

/** Calls that only read, yet are asked anew each time: their answers must never come from a cache. */
const alwaysAsked = new Set([
  "authUserIsExist",
  "personalGetHuaweiParam",
  "personalTextAntispamScan",
  "personalGetPopupSettings",
  "processDownloadModelFile",
]);

const source = readFileSync(contract, "utf8");
const stamp = `// contract ${createHash("sha256")
  .update(source)
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest("hex")}`;

const openapi = JSON.parse(source);
const calls = Object.entries(openapi.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ address, method, call })),
);
const areas = [...new Set(calls.map(({ call }) => call.tags[0]))].sort();
if (areas.includes(POLICIES))
  throw new Error(`no area may be called ${POLICIES}: that file is the policy table`);
const isFresh = (file) => existsSync(file) && readFileSync(file, "utf8").startsWith(stamp);
if ([...areas, POLICIES].every((area) => isFresh(output(area)))) process.exit(0);

const schemas = openapi.components?.schemas ?? {};
const overrides = [];
const policies = {};

function reached(schema, into) {
  if (!schema || typeof schema !== "object") return into;
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").pop() : undefined;
  if (name && !into.has(name)) {
    into.add(name);
    reached(schemas[name], into);
  }
  for (const value of Object.values(schema)) reached(value, into);
  return into;
}

const requestSchemas = new Set();
const kinds = { "application/x-www-form-urlencoded": "form", "application/json": "json" };

for (const { address, method, call } of calls) {
  const content = call.requestBody?.content ?? {};
  const contentType = Object.keys(content)[0];
  const body = contentType ? content[contentType].schema : undefined;
  reached(body, requestSchemas);
  const bodySchema = body?.$ref ? schemas[body.$ref.split("/").pop()] : body;
  policies[address] = {
    kind: method === "get" ? "get" : (kinds[contentType] ?? "form"),
    userId: Boolean(bodySchema?.properties?.userId),
    tokenEndpoint: call["x-token-endpoint"] === true,
  };
  const envelope = call.responses?.["200"]?.content?.["application/json"];
  const datas = envelope?.schema?.properties?.datas;
  if (datas) envelope.schema = datas;
  const reads = call["x-effect"] === "read" && !alwaysAsked.has(call.operationId);
  overrides.push({ pattern: call.operationId, type: reads ? "query" : "mutation" });
}

// The gateway writes every field of an answer, defaults included, so none of them is optional.
for (const [name, schema] of Object.entries(schemas)) {
  if (!requestSchemas.has(name) && schema.properties) schema.required = Object.keys(schema.properties);
}

const policyTable = `export interface CallPolicy {
  kind: "form" | "json" | "get";
  /** The form names the caller. Calls whose form has no such field go without it. */
  userId: boolean;
  /** The bearer token is not sent: the call hands out a new one. */
  tokenEndpoint: boolean;
}

/** How each call is signed and what it carries of the caller. */
export const callPolicies: Record<string, CallPolicy> = ${JSON.stringify(policies, null, 2)};
`;

const work = mkdtempSync(path.join(tmpdir(), "xuanlan-api-"));
try {
  const schemaFile = path.join(work, "openapi.json");
  writeFileSync(schemaFile, JSON.stringify(openapi));
  const files = new Map([[POLICIES, policyTable]]);
  for (const area of areas) {
    const names = new Set(
      calls.filter(({ call }) => call.tags[0] === area).map(({ call }) => call.operationId),
    );
    const code = await generateEndpoints({
      apiFile: "../base.ts",
      apiImport: "baseApi",
      schemaFile,
      exportName: `${area}Api`,
      hooks: true,
      flattenArg: true,
      endpointOverrides: overrides,
      filterEndpoints: (name) => names.has(name),
    });
    files.set(area, code);
  }
  // An area that left the contract leaves no file behind.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [area, text] of files) writeFileSync(output(area), `${stamp}\n${text}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
