/** The register of pages, `pages.tsv`, for the build, the journeys and tests. The file's header explains the columns. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const COLUMNS = "path title layout access state area source script canonical description".split(" ");
const VALUES = {
  access: ["public", "login", "asks"],
  state: ["open", "soon", "gone"],
  source: ["contract", "own"],
};
const PRODUCT = "玄览云";
const HOME_TITLE = `${PRODUCT} - 让每一个三维模型，轻盈抵达`;

/**
 * @typedef {object} Page
 * @property {string} path
 * @property {string} title
 * @property {string} layout
 * @property {"public" | "login" | "asks"} access
 * @property {"open" | "soon" | "gone"} state
 * @property {string} area
 * @property {"contract" | "own"} source
 * @property {string} script empty unless open
 * @property {string} canonical empty unless another path is the canonical one
 * @property {string} description empty where search engines do not list it
 */

/**
 * @param {string} text of the register
 * @returns {Page[]}
 * @throws {Error} naming the wrong line
 */
export function parsePages(text) {
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const [head, ...rows] = lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
  if (head?.line !== COLUMNS.join("\t"))
    throw new Error(`pages.tsv: the columns are not ${COLUMNS.join(" ")}`);
  const pages = rows.map(({ line, number }) => {
    const cells = line.split("\t");
    const page = Object.fromEntries(COLUMNS.map((name, index) => [name, cells[index] ?? ""]));
    return { page, cells: cells.length, number };
  });
  const known = new Map(pages.map(({ page }) => [page.path.toLowerCase(), page]));
  for (const { page, cells, number } of pages) {
    const fault = cells > COLUMNS.length ? "too many columns" : faultOf(page, known);
    if (fault) throw new Error(`pages.tsv:${number}: ${page.path}: ${fault}`);
  }
  return pages.map(({ page }) => page);
}

/** @param {Map<string, Page>} known by path in lower case: the router ignores case */
function faultOf(page, known) {
  if (!/^\/([\w.-]+(\/:?[\w.-]+\??)*)?$/.test(page.path)) return "no path";
  if (known.get(page.path.toLowerCase()) !== page) return "this path stands twice";
  if (!/\p{Script=Han}/u.test(page.title)) return "no Chinese title";
  for (const [column, values] of Object.entries(VALUES))
    if (!values.includes(page[column])) return `${column} is none of ${values.join(", ")}`;
  for (const column of ["layout", "area"]) if (!/^[a-z][\w-]*$/.test(page[column])) return `no ${column}`;
  if ((page.state === "open") !== (page.script !== "")) return "an open page has a script, and no other has";
  const listed = page.canonical || page.description;
  if (listed && (page.state !== "open" || page.access === "login"))
    return "only an open page for everybody is listed by search engines";
  if (page.canonical && page.description) return "the description is that of the canonical page";
  if (page.canonical && !known.get(page.canonical.toLowerCase())?.description)
    return `${page.canonical} has no description`;
  return undefined;
}

/** @returns {Page[]} those of the site */
export const sitePages = () => parsePages(readFileSync(path.join(root, "pages.tsv"), "utf8"));

/** The address of a page without its optional parameters. */
export const plainPath = (page) => page.path.replace(/\/:\w+\?/g, "");

const isHome = (page) => (page.canonical || page.path) === "/";

/** Title of the document. */
export const documentTitle = (page) => (isHome(page) ? HOME_TITLE : `${page.title} - ${PRODUCT}`);

const union = (values) => [...new Set(values)].map((value) => JSON.stringify(value)).join(" | ");

/**
 * The register as src reads it. Data and loaders are separate because the header and the session query paths, and whatever
 * imports a loader is loaded by every page.
 *
 * @param {Page[]} pages
 * @returns {Record<string, string>} text by file below src/app
 */
export function generated(pages) {
  const head = "// Generated from pages.tsv by scripts/generate-pages.mjs.\n";
  const rows = pages.map(({ path, title, layout, access, state, area }) => {
    return `  ${JSON.stringify({ path, title, layout, access, state, area })},\n`;
  });
  const layouts = [...new Set(pages.map((page) => page.layout))].sort();
  const soon = pages.filter((page) => page.state === "soon");
  const data = [
    head,
    `export const HOME_TITLE = ${JSON.stringify(HOME_TITLE)};\n`,
    "/** All addresses of the home page. */\n",
    `export const HOME_PATHS: readonly string[] = ${JSON.stringify(pages.filter(isHome).map(plainPath))};\n`,
    `export const layoutNames = ${JSON.stringify(layouts)} as const;\n`,
    `export type Path = ${union(pages.map(plainPath))};\n`,
    `export type Area = ${union(pages.map((page) => page.area))};\n`,
    "/** Areas with pages that are not built yet. */\n",
    `export type SoonArea = ${soon.length > 0 ? union(soon.map((page) => page.area)) : "never"};\n`,
    `export const rows = [\n${rows.join("")}] as const;\n`,
  ];
  const open = pages.filter((page) => page.state === "open");
  const scripts = [...new Set(open.map((page) => page.script))];
  // The build measures the home page by its name (scripts/scriptBudget.mjs).
  const name = (script) => (script === "home" ? '/* webpackChunkName: "home" */ ' : "");
  const loaders = [
    head,
    ...scripts.map(
      (script, index) => `const s${index} = () => import(${name(script)}"@/pages/${script}");\n`,
    ),
    "\nexport const loaders = {\n",
    ...open.map((page) => `  ${JSON.stringify(page.path)}: s${scripts.indexOf(page.script)},\n`),
    "};\n",
  ];
  return { "paths/generated.ts": data.join(""), "routes/generated.ts": loaders.join("") };
}

/** Scripts of pages below src/pages that do not exist. */
export const missingScripts = (pages) =>
  pages.filter(({ script }) => {
    const file = path.join(root, "src/pages", script);
    return script && !["/index.tsx", ".tsx"].some((ending) => existsSync(file + ending));
  });
