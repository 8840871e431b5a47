/** Limits the first load of a page: the production build fails when its scripts exceed the budget. */
import { brotliSync } from "./packed.mjs";

/**
 * Counts what the browser fetches without user interaction: the scripts of the entry and the chunks that
 * load by themselves, with all that they share.
 */
export class ScriptBudget {
  /**
   * @param {object} budget
   * @param {string} budget.entry name of the entry point
   * @param {string[]} budget.chunks names of the page's own chunks (`webpackChunkName`)
   * @param {number} budget.maxBytes of all scripts as a browser receives them, compressed with Brotli
   */
  constructor(budget) {
    this.budget = budget;
  }

  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    const { Compilation, WebpackError } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("ScriptBudget", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: "ScriptBudget", stage }, () => {
        const problem = this.check(compilation);
        if (problem) compilation.errors.push(new WebpackError(problem));
      });
    });
  }

  /**
   * The error if the budget is exceeded.
   *
   * @param {import("webpack").Compilation} compilation
   * @returns {string | undefined}
   */
  check(compilation) {
    const { entry, chunks, maxBytes } = this.budget;
    const names = [entry, ...chunks];
    const groups = names.map((name) => compilation.namedChunkGroups.get(name));
    const missing = names.filter((_name, index) => groups[index] === undefined);
    if (missing.length > 0) return `The weight of the first load cannot be told: no chunk "${missing[0]}"`;
    const files = new Set(groups.flatMap((group) => group.getFiles()).filter((file) => file.endsWith(".js")));
    const sizes = [...files].map((file) => ({
      file,
      bytes: brotliSync(compilation.getAsset(file).source.buffer()).length,
    }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= maxBytes) return undefined;
    const list = sizes.sort((a, b) => b.bytes - a.bytes).map(({ file, bytes }) => `  ${bytes} ${file}`);
    return [
      `The first load is ${total} bytes of script on the wire, its budget is ${maxBytes}:`,
      ...list,
    ].join("\n");
  }
}
