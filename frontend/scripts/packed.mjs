/** Adds a `.br` and a `.gz` to each emitted file; the gateway sends the smallest that a browser accepts. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

/** Text formats, and others without compression of their own. */
const PACKED = /\.(js|css|html|svg|json|wasm|txt)$/;
/** Below this size, in bytes, compression saves no packet. */
const LEAST = 1024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const SMALLEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** A file as the gateway sends it to a browser that accepts Brotli. */
export const brotliSync = (bytes) => brotliCompressSync(bytes, SMALLEST);

/** The two compressed forms of a file, by the extension that the gateway looks for. */
export const pack = async (bytes) =>
  new Map([
    ["br", await brotli(bytes, SMALLEST)],
    ["gz", await zip(bytes, { level: 9 })],
  ]);

export class PackedFiles {
  /** @param {import("webpack").Compiler} compiler */
  apply(compiler) {
    // Once the originals are on the disk: the gateway ignores a compressed file that is older than its original.
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
