/** Generates src/app/{paths,routes}/generated.ts from pages.tsv. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generated, missingScripts, sitePages } from "./pages.mjs";

const app = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src/app");
const pages = sitePages();
for (const page of missingScripts(pages))
  throw new Error(`pages.tsv: ${page.path}: there is no src/pages/${page.script}`);
for (const [name, text] of Object.entries(generated(pages))) {
  const file = path.join(app, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
