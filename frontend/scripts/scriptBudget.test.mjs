import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import webpack from "webpack";
import { ScriptBudget } from "./scriptBudget.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "xuanlan-budget-"));
  const file = (name, text) => writeFileSync(path.join(folder, name), text);
  // Random digits do not compress below half a byte each.
  const noise = (length, seed) => {
    let state = seed;
    return Array.from({ length }, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * 10);
    }).join("");
  };
  file("page.js", `export const page = "${noise(4000, 1)}";`);
  file("later.js", `export const later = "${noise(40000, 2)}";`);
  file(
    "main.js",
    `import(/* webpackChunkName: "home" */ "./page.js").then(({ page }) => document.title = page);
     addEventListener("scroll", () => import(/* webpackChunkName: "later" */ "./later.js"));`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Messages of a production build under this budget. */
function build(budget) {
  return new Promise((resolve, reject) => {
    const compiler = webpack({
      mode: "production",
      context: folder,
      entry: { app: "./main.js" },
      output: { path: path.join(folder, "dist") },
      plugins: [new ScriptBudget({ entry: "app", chunks: ["home"], ...budget })],
    });
    compiler.run((error, stats) =>
      compiler.close(() =>
        error ? reject(error) : resolve(stats.compilation.errors.map((each) => each.message)),
      ),
    );
  });
}

it("fails a build whose first load is too heavy, and names its files", async () => {
  const [problem, ...more] = await build({ maxBytes: 1000 });
  expect(more).toEqual([]);
  expect(problem).toMatch(/^The first load is \d+ bytes of script on the wire, its budget is 1000:/);
  expect(problem).toContain("home.js");
  expect(problem).toContain("app.js");
  expect(problem).not.toContain("later.js");
});

it("lets a light one pass: what is loaded later does not count", async () => {
  expect(await build({ maxBytes: 10_000 })).toEqual([]);
});

it("fails when there is nothing to weigh, instead of passing for ever", async () => {
  expect(await build({ chunks: ["home", "start"], maxBytes: 10_000 })).toEqual([
    'The weight of the first load cannot be told: no chunk "start"',
  ]);
});
