/** Generates src/realtime/generated.ts, the pushes of a page, from the published contract (`x-pushes` of proto/openapi.json). */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/**
 * @param {{"x-pushes": Record<string, {$ref: string}>, components: {schemas: Record<string, any>}}} contract
 * @returns {string}
 */
export function pushes({ "x-pushes": received, components: { schemas } }) {
  const nameOf = (reference) => reference.split("/").pop();
  const comment = (text, indent = "") => (text ? `${indent}/** ${text.replaceAll("\n", " ")} */\n` : "");
  const kindOf = (schema) => (schema.type === "integer" ? "number" : (schema.type ?? "object"));

  const fieldType = (schema) => {
    const reference = schema.$ref ?? schema.allOf?.[0].$ref;
    // A nested message may be absent.
    if (reference) return `${inline(schemas[nameOf(reference)])} | null`;
    if (schema.type === "object") return `Record<string, ${fieldType(schema.additionalProperties)}>`;
    if (schema.type === "array") throw new Error("a push for pages has no lists yet");
    return kindOf(schema);
  };
  const inline = (schema) => {
    const fields = Object.entries(schema.properties).map(([name, field]) => `${name}: ${fieldType(field)}`);
    return `{ ${fields.join("; ")} }`;
  };

  const types = [];
  const tables = [];
  for (const [type, { $ref }] of Object.entries(received)) {
    const name = nameOf($ref);
    const { description, properties } = schemas[name];
    const fields = Object.entries(properties);
    const lines = fields.map(
      ([field, schema]) => `${comment(schema.description, "  ")}  ${field}: ${fieldType(schema)};\n`,
    );
    types.push(
      `${comment(description)}export interface ${name} {\n  type: ${JSON.stringify(type)};\n${lines.join("")}}\n`,
    );
    const kinds = fields.map(([field, schema]) => `${field}: "${kindOf(schema)}"`);
    tables.push(`  ${type}: { ${kinds.join(", ")} },\n`);
  }
  const names = Object.values(received).map(({ $ref }) => nameOf($ref));
  return [
    "// Generated from proto/openapi.json by scripts/generate-pushes.mjs.\n",
    ...types,
    `export type Push = ${names.join(" | ")};\n`,
    `/** Kinds of the fields of each push. */\nexport const PUSHES = {\n${tables.join("")}} as const;\n`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const contract = JSON.parse(readFileSync(path.resolve(root, "../proto/openapi.json"), "utf8"));
  writeFileSync(path.join(root, "src/realtime/generated.ts"), pushes(contract));
}
