/** Separates two bundles: the build fails when one contains a module from the other's folders. */
import path from "node:path";

export class Apart {
  /** @param {string[]} folders below the project, of which the bundle may contain nothing */
  constructor(folders) {
    this.folders = folders;
  }

  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    const { WebpackError } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("Apart", (compilation) => {
      compilation.hooks.finishModules.tap("Apart", (modules) => {
        const files = [...modules].map((module) => module.resource).filter(Boolean);
        for (const file of strayFiles(files, compiler.context, this.folders))
          compilation.errors.push(
            new WebpackError(`The bundle ${compilation.name} must not contain ${file}`),
          );
      });
    });
  }
}

/**
 * Files inside one of the folders, by their path below the root.
 *
 * @param {string[]} files absolute
 * @param {string} root
 * @param {string[]} folders below the root
 */
export function strayFiles(files, root, folders) {
  return files
    .map((file) => path.relative(root, file).split(path.sep).join("/"))
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .sort();
}
