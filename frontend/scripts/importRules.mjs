/**
 * The direction of imports in src, which `npm run lint` enforces:
 * a folder imports from the layers below its own; a feature is entered through its index only, and features form no
 * circle. Tests may import whatever they test.
 *
 * A script, because the linter's own rule (Biome's noRestrictedImports) compares the text of an import and does not see
 * where a relative one leads, nor that two features need each other.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** From the bottom up. Folders of one layer do not import each other, except those of the platform. */
const LAYERS = [
  // Generated from the server's own lists: figures that both sides state.
  ["facts"],
  ["messages"],
  ["lib"],
  // What the product's pages are called is data; their loaders (the rest of app) are at the top.
  ["theme", "app/paths"],
  ["ui"],
  ["viewer", "transfer"],
  // The platform: the store knows its slices, the session asks the server, a call carries the session's token.
  ["api", "calls", "realtime", "session", "shop", "store"],
  ["features"],
  ["pages"],
  // The operators' console is a product of its own: a frame that modules hang their pages on.
  ["console/api", "console/session"],
  ["console/kit"],
  ["console/modules"],
  // An entry of webpack each.
  ["app", "embed", "offline", "console"],
];
const PLATFORM = LAYERS.findIndex((layer) => layer.includes("store"));
/** What the console takes of the rest: nothing that belongs to the site or knows its users' session. */
const SHARED = ["facts", "messages", "lib", "theme", "ui"];
/** The console's platform: its client and its session know each other. */
const CONSOLE_PLATFORM = LAYERS.findIndex((layer) => layer.includes("console/api"));
const FEATURES = LAYERS.findIndex((layer) => layer.includes("features"));

const isTest = (file) => /\.test\.tsx?$/.test(file) || /(^|\/)test\//.test(file);
const IMPORT = /(?:\bfrom|^import|\bimport\()\s*(?:\/\*[^*]*\*\/\s*)?"([^"]+)"/gm;

/** Layer and folder of a file; undefined for a folder nobody has placed. */
function placeOf(file) {
  for (const [rank, layer] of LAYERS.entries()) {
    const folder = layer.find((name) => name.includes("/") && file.startsWith(`${name}/`));
    // Each area of the console is a place of its own.
    if (folder === "console/modules") return { rank, folder: file.split("/").slice(0, 3).join("/") };
    if (folder) return { rank, folder };
  }
  const folder = file.split("/")[0];
  const rank = LAYERS.findIndex((layer) => layer.includes(folder));
  if (rank < 0) return undefined;
  return { rank, folder: rank === FEATURES ? file.split("/").slice(0, 2).join("/") : folder };
}

const isConsole = (folder) => folder.split("/")[0] === "console";

/** Path below src that an import leads to, without its ending; undefined for a package. */
function target(file, specifier) {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier);
  return undefined;
}

/**
 * What is wrong, a line each.
 *
 * @param {Map<string, string>} sources text of each file by its path below src
 */
export function importProblems(sources) {
  const problems = [];
  const needs = new Map();
  for (const [file, text] of sources) {
    if (isTest(file)) continue;
    const from = placeOf(file);
    if (!from) {
      problems.push(`${file}: its folder has no layer; give it one in scripts/importRules.mjs`);
      continue;
    }
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const wanted = target(file, specifier);
      const to = wanted && placeOf(`${wanted}/`);
      if (!to || to.folder === from.folder) continue;
      const says = (why) => problems.push(`${file} imports ${specifier}: ${why}`);
      if (isConsole(from.folder) && !isConsole(to.folder) && !SHARED.includes(to.folder))
        says(`the console takes nothing of ${to.folder}`);
      else if (to.rank > from.rank) says(`${to.folder} is above ${from.folder}`);
      else if (to.rank === FEATURES) {
        if (wanted !== to.folder) says(`enter ${to.folder} through its index`);
        if (from.rank === FEATURES)
          needs.set(from.folder, (needs.get(from.folder) ?? new Set()).add(to.folder));
      } else if (to.rank === from.rank && from.rank !== PLATFORM && from.rank !== CONSOLE_PLATFORM)
        says(`${to.folder} is beside ${from.folder}`);
    }
  }
  return [...problems, ...circles(needs)].sort();
}

/** @param {Map<string, Set<string>>} needs */
function circles(needs) {
  const found = [];
  const done = new Set();
  const walk = (folder, way) => {
    const start = way.indexOf(folder);
    if (start >= 0) found.push(`features in a circle: ${[...way.slice(start), folder].join(" → ")}`);
    if (start >= 0 || done.has(folder)) return;
    for (const next of needs.get(folder) ?? []) walk(next, [...way, folder]);
    done.add(folder);
  };
  for (const folder of needs.keys()) walk(folder, []);
  return found;
}

/** @param {string} root */
export function sourcesOf(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(root, file).split(path.sep).join("/"), readFileSync(file, "utf8")]),
  );
}

const here = fileURLToPath(import.meta.url);
if (process.argv[1] === here) {
  const root = path.resolve(path.dirname(here), "../src");
  if (!existsSync(root)) throw new Error(`no folder ${root}`);
  const problems = importProblems(sourcesOf(root));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
