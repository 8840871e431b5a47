import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import webpack from "webpack";
import { PackedFiles } from "./packed.mjs";

it("puts both packed forms beside a script, no older than it, and leaves small files alone", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "xuanlan-packed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "main.js"), `document.title = "${"large ".repeat(1000)}";`);
  writeFileSync(path.join(folder, "small.js"), "document.title = 1;");
  const dist = path.join(folder, "dist");
  const compiler = webpack({
    mode: "production",
    context: folder,
    entry: { main: "./main.js", small: "./small.js" },
    output: { path: dist },
    plugins: [new PackedFiles()],
  });
  await new Promise((resolve, reject) => {
    compiler.run((error) => compiler.close(() => (error ? reject(error) : resolve())));
  });
  expect(readdirSync(dist).sort()).toEqual(["main.js", "main.js.br", "main.js.gz", "small.js"]);
  const read = (name) => readFileSync(path.join(dist, name));
  expect(brotliDecompressSync(read("main.js.br"))).toEqual(read("main.js"));
  expect(gunzipSync(read("main.js.gz"))).toEqual(read("main.js"));
  const written = (name) => statSync(path.join(dist, name)).mtimeMs;
  expect(written("main.js.br")).toBeGreaterThanOrEqual(written("main.js"));
});
