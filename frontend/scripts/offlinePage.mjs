/** Combines a page and its script into one HTML file, and lists the licences of the bundled packages. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const VIEWER = "<!--xuanlan:viewer-->";

/** Escapes a script for HTML: nothing in it ends the element or begins a comment. */
export const inline = (script) => script.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");

export class OfflinePage {
  /** @param {{ template: string, script: string }} options the page, and the name of the emitted script */
  constructor(options) {
    this.options = options;
  }

  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    const { Compilation, WebpackError, sources } = compiler.webpack;
    const { template, script } = this.options;
    compiler.hooks.thisCompilation.tap("OfflinePage", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.fileDependencies.add(template);
      compilation.hooks.processAssets.tap({ name: "OfflinePage", stage }, () => {
        // the minifier's own list of comments; LICENSES.txt has all of them
        if (compilation.getAsset(`${script}.LICENSE.txt`)) compilation.deleteAsset(`${script}.LICENSE.txt`);
        const others = compilation.getAssets().filter(({ name }) => name !== script);
        const made = compilation.getAsset(script);
        if (!made || others.length > 0) {
          const names = others.map(({ name }) => name).join(", ");
          compilation.errors.push(
            new WebpackError(`The offline page must be one script, not also: ${names}`),
          );
          return;
        }
        const [before, after] = readFileSync(template, "utf8").split(VIEWER);
        const page = `${before}<script>${inline(made.source.source().toString())}</script>${after}`;
        // "minimized": or webpack's own minifier drops the comments that mark the model's place
        compilation.emitAsset("viewer.html", new sources.RawSource(page), { minimized: true });
        compilation.emitAsset("LICENSES.txt", new sources.RawSource(licenses(packagesOf(compilation))));
        compilation.deleteAsset(script);
      });
    });
  }
}

/** Folders of the bundled packages. */
function packagesOf(compilation) {
  const folders = new Set();
  const add = (module) => {
    const file = module.resource ?? "";
    const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1];
    if (found) folders.add(found);
    // third-party code inside three.js
    if (/[\\/]libs[\\/][^\\/]+\.js$/.test(file)) folders.add(file);
    for (const inner of module.modules ?? []) add(inner);
  };
  for (const module of compilation.modules) {
    if (compilation.chunkGraph.getModuleChunks(module).length > 0) add(module);
  }
  return [...folders].sort();
}

function licenses(folders) {
  const parts = folders.map((folder) => {
    if (folder.endsWith(".js")) {
      const comment = /\/[/*][\s\S]*?(?=\n(?!\s*(?:\/\/|\*)))/.exec(readFileSync(folder, "utf8"))?.[0] ?? "";
      return `${path.basename(folder)}, within three\n\n${comment.trim()}\n\nIts terms are those of the MIT licence above.`;
    }
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), "utf8") : license;
    return `${name} ${version}\n\n${text.trim()}`;
  });
  return `${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}
