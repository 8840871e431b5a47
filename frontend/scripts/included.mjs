/**
 * Fails a build that reads a file and leaves it out. A file that only passes on what others export is one, unless a rule names
 * its effects: a site without them looks whole.
 */
import path from "node:path";

export class Included {
  /** @param {RegExp} files absolute paths */
  constructor(files) {
    this.files = files;
  }

  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    const { WebpackError } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("Included", (compilation) => {
      // Before modules are joined, which takes their own places away.
      compilation.hooks.afterChunks.tap("Included", () => {
        for (const module of compilation.modules) {
          const file = module.resource;
          if (!file || !this.files.test(file) || compilation.chunkGraph.getNumberOfModuleChunks(module))
            continue;
          const name = path.relative(compiler.context, file).split(path.sep).join("/");
          compilation.errors.push(new WebpackError(`The bundle ${compilation.name} leaves out ${name}`));
        }
      });
    });
  }
}
