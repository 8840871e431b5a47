/**
 * Generates src/api/generated.ts from the published contract (proto/openapi.json):
 * one RTK Query endpoint a call, and beside it the policy table that the base query reads.
 *
 * The contract describes the whole envelope; the base query unwraps it, so the endpoints are typed by `datas`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateEndpoints } from "@rtk-query/codegen-openapi";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const contract = path.resolve(root, "../proto/openapi.json");
const output = path.join(root, "src/api/generated.ts");
/** The calls of buying, which nobody needs before a page or a dialog of the shop is open. */
const shopOutput = path.join(root, "src/api/generated.shop.ts");
const ofShop = /^(order|payment)/;
/** Apart from the endpoints, so that the base query may read it without an import cycle. */
const policyOutput = path.join(root, "src/api/generated.policies.ts");

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
if ([policyOutput, shopOutput, output].every(existsSync) && readFileSync(output, "utf8").startsWith(stamp))
  process.exit(0);

const openapi = JSON.parse(source);
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

for (const [address, methods] of Object.entries(openapi.paths)) {
  for (const [method, call] of Object.entries(methods)) {
    const content = call.requestBody?.content ?? {};
    const contentType = Object.keys(content)[0];
    const body = contentType ? content[contentType].schema : undefined;
    reached(body, requestSchemas);
    const bodySchema = body?.$ref ? schemas[body.$ref.split("/").pop()] : body;
    policies[address] = {
      kind: method === "get" ? "get" : (kinds[contentType] ?? "form"),
      userId: Boolean(bodySchema?.properties?.userId),
    };
    const envelope = call.responses?.["200"]?.content?.["application/json"];
    const datas = envelope?.schema?.properties?.datas;
    if (datas) envelope.schema = datas;
    if (call["x-effect"] === "read" && !alwaysAsked.has(call.operationId)) {
      overrides.push({ pattern: call.operationId, type: "query" });
    } else {
      overrides.push({ pattern: call.operationId, type: "mutation" });
    }
  }
}

// The gateway writes every field of an answer, defaults included, so none of them is optional.
for (const [name, schema] of Object.entries(schemas)) {
  if (!requestSchemas.has(name) && schema.properties) schema.required = Object.keys(schema.properties);
}

const work = mkdtempSync(path.join(tmpdir(), "xuanlan-api-"));
try {
  const schemaFile = path.join(work, "openapi.json");
  writeFileSync(schemaFile, JSON.stringify(openapi));
  const generate = (exportName, belongs) =>
    generateEndpoints({
      apiFile: "./base.ts",
      apiImport: "baseApi",
      schemaFile,
      exportName,
      hooks: true,
      flattenArg: true,
      endpointOverrides: overrides,
      filterEndpoints: belongs,
    });
  const code = await generate("generatedApi", (name) => !ofShop.test(name));
  const shop = await generate("generatedShopApi", ofShop);
  const table = `/** How each call is signed and whether its form names the caller. */\nexport const callPolicies: Record<string, { kind: "form" | "json" | "get"; userId: boolean }> = ${JSON.stringify(policies, null, 2)};\n`;
  writeFileSync(policyOutput, `${stamp}\n${table}`);
  writeFileSync(shopOutput, `${stamp}\n${shop}`);
  writeFileSync(output, `${stamp}\n${code}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
