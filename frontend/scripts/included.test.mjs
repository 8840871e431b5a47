import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import webpack from "webpack";
import { Included } from "./included.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "xuanlan-included-"));
  const file = (name, text) => writeFileSync(path.join(folder, name), text);
  file("generated.js", "export const like = () => document.title;");
  file("calls.js", 'export * from "./generated.js"; document.title = "exceptions";');
  file("main.js", 'import { like } from "./calls.js"; like();');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Messages of a production build in which these files have effects. */
function build(withEffects) {
  return new Promise((resolve, reject) => {
    const compiler = webpack({
      mode: "production",
      name: "site",
      context: folder,
      entry: { app: "./main.js" },
      output: { path: path.join(folder, "dist") },
      module: { rules: [{ sideEffects: false }, { test: withEffects, sideEffects: true }] },
      plugins: [new Included(/calls\.js$/)],
    });
    compiler.run((error, stats) =>
      compiler.close(() =>
        error ? reject(error) : resolve(stats.compilation.errors.map((each) => each.message)),
      ),
    );
  });
}

it("fails a build that takes a hook past the file with its exceptions", async () => {
  expect(await build(/none/)).toEqual(["The bundle site leaves out calls.js"]);
});

it("lets a build pass that has them", async () => {
  expect(await build(/(calls|main)\.js$/)).toEqual([]);
});
