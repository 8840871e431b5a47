/**
 * Generates src/console/generated/modules.ts: every folder of src/console/modules with an index is an area of the
 * console. A list instead of webpack's require.context, so that tests and types read the same.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src/console");

/** Names of the areas, in order. */
export function consoleAreas(folder = path.join(root, "modules")) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, "index.ts")))
    .map(({ name }) => name)
    .sort();
}

/** @param {string[]} areas */
export function moduleList(areas) {
  const imports = areas.map((area, index) => `import m${index} from "../modules/${area}";`);
  const names = areas.map((_area, index) => `m${index}`);
  return [
    ...imports,
    'import type { ConsoleModule } from "../kit/contract";',
    "",
    `export const modules: readonly ConsoleModule[] = [${names.join(", ")}];`,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(root, "generated/modules.ts");
  const text = moduleList(consoleAreas());
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
