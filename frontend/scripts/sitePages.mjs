/**
 * Tells the gateway which addresses are pages and by which each is to be known (`routes.json`), and gives each public page
 * HTML with its own title and description: what a search engine and a shared link show before any script has run.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { pageRoutes } from "./pageRoutes.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const PRODUCT = "玄览云";
const UNLISTED = "pages/unlisted.html";

/** By path: what a page is about, and the path it is to be known by, where several lead to it. */
const about = () => JSON.parse(readFileSync(path.join(root, "src/app/paths/about.json"), "utf8"));

const quoted = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** The shell with another title and description. */
export function withHead(shell, { title, description }) {
  return shell
    .replace(/<title>[^<]*<\/title>/, () => `<title>${quoted(title)}</title>`)
    .replace(/(<meta name="description" content=")[^"]*/, (_all, start) => start + quoted(description));
}

export const withoutListing = (shell) =>
  shell.replace("</head>", '<meta name="robots" content="noindex"></head>');

/**
 * The files beside the shell, by their name in the build.
 *
 * @param {string} shell HTML of every page
 * @param {ReturnType<typeof pageRoutes>} routes
 * @param {Record<string, {title?: string, description: string, canonical?: string}>} heads
 */
export function pageFiles(shell, routes, heads) {
  const files = new Map([[UNLISTED, withoutListing(shell)]]);
  const unknown = Object.keys(heads).find((address) => !routes.some((r) => r.path === address && r.open));
  if (unknown) throw new Error(`about.json tells of ${unknown}, which is no open page`);
  const pages = routes.map((route) => {
    const head = route.open ? heads[route.path] : undefined;
    if (!head) return { path: route.path };
    const file = route.path === "/" ? "pages/home.html" : `pages${route.path}.html`;
    const title = head.title ?? `${route.title} - ${PRODUCT}`;
    files.set(file, withHead(shell, { ...head, title }));
    // The gateway makes a whole address of it: the build does not know the site's.
    return { path: route.path, html: `/${file}`, canonical: head.canonical ?? route.path };
  });
  files.set("routes.json", JSON.stringify({ unlisted: `/${UNLISTED}`, pages }));
  return files;
}

export class SitePages {
  /** @param {{ shell: string }} options name of the emitted HTML */
  constructor({ shell }) {
    this.shell = shell;
  }

  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("SitePages", (compilation) => {
      // after the HTML has been made
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: "SitePages", stage }, () => {
        const shell = compilation.getAsset(this.shell).source.source().toString();
        for (const [name, text] of pageFiles(shell, pageRoutes(), about())) {
          compilation.emitAsset(name, new sources.RawSource(text));
        }
      });
    });
  }
}
