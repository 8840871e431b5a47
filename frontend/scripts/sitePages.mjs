/**
 * Gives each page HTML with its own scripts and its own title, which shared links and search engines show before any script has run, and
 * lists all pages for the gateway (`routes.json`): the existing addresses and their canonical ones.
 */
import { FIRST_TEXTS, withFirstText } from "./firstText.mjs";
import { documentTitle, plainPath, sitePages } from "./pages.mjs";
import { boot, linesFirst, paintFirst, withEarlyWork, withScripts } from "./paintFirst.mjs";

const UNLISTED = "pages/unlisted.html";
/** The title of an unknown address, the same as in the script. */
const NO_PAGE = { path: "*", title: "页面不存在" };

const quoted = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** The shell with another title, and another description if there is one. */
export function withHead(shell, title, description) {
  const page = shell.replace(/<title>[^<]*<\/title>/, () => `<title>${quoted(title)}</title>`);
  if (!description) return page;
  return page.replace(
    /(<meta name="description" content=")[^"]*/,
    (_all, start) => start + quoted(description),
  );
}

export const withoutListing = (shell) =>
  shell.replace("</head>", '<meta name="robots" content="noindex"></head>');

/**
 * The files beside the shell, by their name in the build.
 *
 * @param {string} shell HTML of every page
 * @param {import("./pages.mjs").Page[]} pages
 * @param {(page: import("./pages.mjs").Page) => { scripts: string[], work?: string }} neededBy what a page needs besides the
 *   shell's scripts: files of its own, and the text of a worker
 * @returns {Map<string, string>}
 */
export function pageFiles(shell, pages, neededBy) {
  const files = new Map([[UNLISTED, withoutListing(withHead(shell, documentTitle(NO_PAGE)))]]);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const rows = pages.map((page) => {
    const { description } = byPath.get(page.canonical) ?? page;
    const titled = withHead(shell, documentTitle(page), description);
    const { scripts, work } = neededBy(page);
    const linked = withScripts(withFirstText(titled, page.script), scripts);
    const whole = work ? withEarlyWork(linked, work) : linked;
    const own = page.script in FIRST_TEXTS ? linesFirst(whole) : whole;
    const file = page.path === "/" ? "pages/home.html" : `pages${plainPath(page)}.html`;
    files.set(file, description ? own : withoutListing(own));
    return {
      path: page.path,
      html: `/${file}`,
      // The gateway makes it absolute: the build does not know the site's address.
      ...(description && { canonical: page.canonical || page.path }),
      ...(page.state === "gone" && { gone: true }),
    };
  });
  files.set("routes.json", JSON.stringify({ unlisted: `/${UNLISTED}`, pages: rows }));
  return files;
}

const PAGE = /^@\/pages\/(.+)$/;
/** The layout that is part of the entry. */
const IN_ENTRY = "default";
/** The only page that makes no call while it is drawn. */
const WITHOUT_CALLS = "home";
/** The chunk that the first call needs. */
const CALLS = "prepare";
/** Pages that show a model at once, the chunk that draws it, and the worker that computes its light. */
const WITH_STAGE = new Set(["workbench/myUpload/sourceFile"]);
const STAGE = "viewer-engine";
const LIGHT = "light";

/**
 * Returns the files of a page's layout and chunks, with those of its first call, without those of the entry; and the text of its
 * worker.
 *
 * @param {import("webpack").Compilation} compilation
 * @returns {(page: import("./pages.mjs").Page) => { scripts: string[], work?: string }}
 */
function needs(compilation) {
  const entry = new Set([...compilation.entrypoints.values()].flatMap((group) => group.getFiles()));
  const named = (name) => {
    const group = compilation.namedChunkGroups.get(name);
    if (!group) throw new Error(`the build has no chunk ${name}`);
    return group.getFiles();
  };
  const worker = (name) => {
    const [file, ...others] = named(name);
    if (others.length > 0) throw new Error(`the worker ${name} is more than one file`);
    return compilation.getAsset(file).source.source().toString();
  };
  const own = new Map();
  for (const group of compilation.chunkGroups) {
    for (const { request } of group.origins) {
      const script = PAGE.exec(request ?? "")?.[1];
      if (script) own.set(script, group.getFiles());
    }
  }
  return ({ script, layout }) => {
    if (!own.has(script)) return { scripts: [] };
    const staged = WITH_STAGE.has(script);
    const needed = new Set([
      ...(layout === IN_ENTRY ? [] : named(`layout-${layout}`)),
      ...own.get(script),
      ...(script === WITHOUT_CALLS ? [] : named(CALLS)),
      ...(staged ? named(STAGE) : []),
    ]);
    const scripts = [...needed].filter((file) => file.endsWith(".js") && !entry.has(file));
    return staged ? { scripts, work: worker(LIGHT) } : { scripts };
  };
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
        const shell = paintFirst(compilation.getAsset(this.shell).source.source().toString());
        compilation.updateAsset(this.shell, new sources.RawSource(shell));
        compilation.emitAsset(boot.file, new sources.RawSource(boot.text));
        for (const [name, text] of pageFiles(shell, sitePages(), needs(compilation))) {
          compilation.emitAsset(name, new sources.RawSource(text));
        }
      });
    });
  }
}
