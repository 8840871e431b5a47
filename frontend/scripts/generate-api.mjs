/**
 * Generates the clients of the two contracts: src/api/generated from the published one (proto/openapi.json),
 * src/console/api/generated from the operators' one (proto/openapi-console.json). For each area of a contract (the
 * tag of a call, which is its service) one file with an RTK Query endpoint per call, its cache tags and its hooks, plus
 * the policy table that the base query reads and the list of all cache tags.
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
const CONTRACTS = [
  { file: "../proto/openapi.json", folder: "src/api/generated" },
  { file: "../proto/openapi-console.json", folder: "src/console/api/generated" },
];
/** Separate from the endpoints, so that the base query can read them without an import cycle. */
const POLICIES = "policies";
const TAGS = "tags";

function reached(schemas, schema, into) {
  if (!schema || typeof schema !== "object") return into;
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").pop() : undefined;
  if (name && !into.has(name)) {
    into.add(name);
    reached(schemas, schemas[name], into);
  }
  for (const value of Object.values(schema)) reached(schemas, value, into);
  return into;
}

const kinds = { "application/x-www-form-urlencoded": "form", "application/json": "json" };

/**
 * Turns the contract into one whose responses are the `datas`; returns the policies of the calls, and the cache tags that
 * they name.
 */
function unwrap(openapi, calls) {
  const schemas = openapi.components?.schemas ?? {};
  const overrides = [];
  const policies = {};
  const tags = new Set();
  const requestSchemas = new Set();
  for (const { address, method, call } of calls) {
    const content = call.requestBody?.content ?? {};
    const contentType = Object.keys(content)[0];
    const body = contentType ? content[contentType].schema : undefined;
    reached(schemas, body, requestSchemas);
    const bodySchema = body?.$ref ? schemas[body.$ref.split("/").pop()] : body;
    policies[address] = {
      kind: method === "get" ? "get" : (kinds[contentType] ?? "form"),
      userId: Boolean(bodySchema?.properties?.userId),
      tokenEndpoint: call["x-token-endpoint"] === true,
    };
    const envelope = call.responses?.["200"]?.content?.["application/json"];
    const datas = envelope?.schema?.properties?.datas;
    if (datas) envelope.schema = datas;
    const { "x-reads": reads = [], "x-changes": changes = [] } = call;
    for (const tag of [...reads, ...changes]) tags.add(tag);
    overrides.push(
      call["x-effect"] === "read" && !call["x-uncached"]
        ? { pattern: call.operationId, type: "query", ...(reads.length && { providesTags: reads }) }
        : {
            pattern: call.operationId,
            type: "mutation",
            ...(changes.length && { invalidatesTags: changes }),
          },
    );
  }
  // The gateway writes every field of a response, defaults included, so none of them is optional.
  for (const [name, schema] of Object.entries(schemas)) {
    if (!requestSchemas.has(name) && schema.properties) schema.required = Object.keys(schema.properties);
  }
  return { overrides, policies, tags: [...tags].sort() };
}

const policyTable = (policies) => `export interface CallPolicy {
  kind: "form" | "json" | "get";
  /** The form names the caller. Calls whose form has no such field go without it. */
  userId: boolean;
  /** The bearer token is not sent: the call hands out a new one. */
  tokenEndpoint: boolean;
}

/** How each call is signed and what it carries of the caller. */
export const callPolicies: Record<string, CallPolicy> = ${JSON.stringify(policies, null, 2)};
`;

const tagList = (tags) => `/** What the caches of an area are of: any call may make any of it stale. */
export const TAGS = ${JSON.stringify(tags, null, 2)} as const;
`;

/** @param {{file: string, folder: string}} contract */
async function generate(contract) {
  const source = readFileSync(path.resolve(root, contract.file), "utf8");
  const folder = path.join(root, contract.folder);
  const output = (area) => path.join(folder, `${area}.ts`);
  const stamp = `// contract ${createHash("sha256")
    .update(source)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest("hex")}`;

  const openapi = JSON.parse(source);
  const calls = Object.entries(openapi.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ address, method, call })),
  );
  const areas = [...new Set(calls.map(({ call }) => call.tags[0]))].sort();
  const tables = [POLICIES, TAGS];
  const taken = areas.find((area) => tables.includes(area));
  if (taken) throw new Error(`no area may be called ${taken}: that is a table beside the areas`);
  const isFresh = (file) => existsSync(file) && readFileSync(file, "utf8").startsWith(stamp);
  if ([...areas, ...tables].every((area) => isFresh(output(area)))) return;

  const { overrides, policies, tags } = unwrap(openapi, calls);
  const work = mkdtempSync(path.join(tmpdir(), "xuanlan-api-"));
  try {
    const schemaFile = path.join(work, "openapi.json");
    writeFileSync(schemaFile, JSON.stringify(openapi));
    const files = new Map([
      [POLICIES, policyTable(policies)],
      [TAGS, tagList(tags)],
    ]);
    for (const area of areas) {
      const names = new Set(
        calls.filter(({ call }) => call.tags[0] === area).map(({ call }) => call.operationId),
      );
      const code = await generateEndpoints({
        apiFile: "../base.ts",
        apiImport: "baseApi",
        schemaFile,
        exportName: `${area}Api`,
        hooks: { queries: true, lazyQueries: true, mutations: true },
        flattenArg: true,
        endpointOverrides: overrides,
        filterEndpoints: (name) => names.has(name),
      });
      files.set(area, code);
    }
    // Removes the files of areas that left the contract.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [area, text] of files) writeFileSync(output(area), `${stamp}\n${text}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

for (const contract of CONTRACTS) await generate(contract);
