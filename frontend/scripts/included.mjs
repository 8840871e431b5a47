/**
 * Fails a build that reads a file but leaves it out. Webpack drops a file that only re-exports, unless a rule declares
 * its side effects: a site without them looks complete.
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
      // Before module concatenation, which removes the modules from their chunks.
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
