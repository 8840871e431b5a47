/** Puts a `.br` and a `.gz` beside what the build emitted; the gateway sends the smallest that a browser takes. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

/** Text, and what is not packed by its own format. */
const PACKED = /\.(js|css|html|svg|json|wasm|txt)$/;
/** Below this, in bytes, a packed file saves no packet. */
const LEAST = 1024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const SMALLEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** A file as the gateway sends it to a browser that takes Brotli. */
export const brotliSync = (bytes) => brotliCompressSync(bytes, SMALLEST);

/** The two forms of a file, by the ending the gateway looks for. */
export const pack = async (bytes) =>
  new Map([
    ["br", await brotli(bytes, SMALLEST)],
    ["gz", await zip(bytes, { level: 9 })],
  ]);

export class PackedFiles {
  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    // After the originals are on the disk: the gateway passes over a packed file that is older than its original.
    compiler.hooks.afterEmit.tapPromise("PackedFiles", async (compilation) => {
      const names = compilation.getAssets().map(({ name }) => name);
      await Promise.all(
        names.filter((name) => PACKED.test(name)).map((name) => this.write(compilation, name)),
      );
    });
  }

  /**
   * @param {import("webpack").Compilation} compilation
   * @param {string} name
   */
  async write(compilation, name) {
    const file = path.join(compilation.outputOptions.path, name);
    const bytes = await readFile(file);
    if (bytes.length < LEAST) return;
    for (const [ending, packed] of await pack(bytes)) {
      if (packed.length < bytes.length) await writeFile(`${file}.${ending}`, packed);
    }
  }
}
