import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cruise } from "dependency-cruiser";
import { afterAll, beforeAll, expect, it } from "vitest";
import config from "../.dependency-cruiser.mjs";

/** Files that are refused: path below src, text, rule. */
const REFUSED = [
  ["features/a/1.ts", 'import { y } from "@/pages/y";', "above-features"],
  ["features/a/2.ts", 'import { y } from "../../app/y";', "above-features"],
  ["features/a/3.ts", 'import type { Y } from "@/app/y";', "above-features"],
  ["features/a/4.tsx", 'const y = () => import(/* webpackChunkName: "y" */ "@/pages/y");', "above-features"],
  ["features/a/5.ts", 'export { y } from "@/features/b/y";', "feature-index-of-another"],
  ["features/a/6.ts", 'import {\n  y,\n} from "../b/y";', "feature-index-of-another"],
  ["pages/a/index.tsx", 'import(/* webpackChunkName: "y" */ "@/features/b/y");', "feature-index"],
  ["ui/1.tsx", 'import { y } from "@/session/y";', "above-ui"],
  ["ui/2.tsx", 'import "@/api/y";', "above-ui"],
  ["lib/1.ts", 'import { y } from "../ui/y";', "above-lib"],
  ["session/1.ts", 'import { y } from "@/features/b";', "above-api"],
  ["viewer/1.ts", 'import { y } from "@/transfer/y";', "beside-viewer"],
  ["app/paths/1.ts", 'import { y } from "../y";', "above-theme"],
  ["app/1.ts", 'import { y } from "@/console/y";', "beside-app"],
  ["console/1.ts", 'import { y } from "@/features/b";', "console-shares"],
  ["console/kit/1.ts", 'import { y } from "@/session/y";', "console-shares"],
  ["console/kit/2.ts", 'import { y } from "../modules/b/y";', "above-console/kit"],
  ["console/modules/a/1.ts", 'import { y } from "../b/y";', "console-modules"],
  ["console/modules/a/2.ts", 'import { y } from "../../y";', "above-console/modules"],
  ["misc/1.ts", 'import { y } from "@/lib/y";', "no-layer"],
  ["lib/round/1.ts", 'import { y } from "./2";\nexport const x = y;', "circle"],
];

const PASSES = [
  // A circle is reported once, at its first file.
  ["lib/round/2.ts", 'import { x } from "./1";\nexport const y = x;'],
  [
    "features/a/7.ts",
    'import { y } from "@/features/b"; import { z } from "./deep/y"; import React from "react";',
  ],
  ["features/a/8.test.ts", 'import { y } from "@/app/y";'],
  ["pages/b/index.tsx", 'import { y } from "@/features/b"; import { z } from "@/ui/y";'],
  ["api/1.ts", 'import { y } from "@/session/y";'],
  ["app/2.ts", 'import { y } from "@/pages/y"; import { z } from "./paths/y";'],
  ["console/2.ts", 'import { y } from "./modules/b/y"; import { z } from "@/ui/y";'],
  ["console/modules/a/3.ts", 'import { y } from "@/console/kit/y"; import { z } from "@/ui/y";'],
  ["lib/round/3.ts", 'import type { Y } from "./4";\nexport type X = Y;'],
  ["lib/round/4.ts", 'import { type X } from "./3";\nexport type Y = X;'],
];

/** Files that those import. */
const THERE = [
  "api",
  "app",
  "app/paths",
  "console",
  "console/kit",
  "console/modules/b",
  "features/a/deep",
  "features/b",
]
  .concat(["lib", "pages", "session", "transfer", "ui"])
  .map((folder) => `${folder}/y.ts`)
  .concat("features/b/index.ts");

const folder = mkdtempSync(path.join(os.tmpdir(), "imports-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The rules that files of a tree violate, by file or folder. */
async function violations(name, files) {
  const root = path.join(folder, name);
  for (const [file, text] of files) {
    const target = path.join(root, "src", file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const { webpackConfig: _, ...options } = config.options;
  const rules = { ...options, baseDir: root, validate: true, ruleSet: { forbidden: config.forbidden } };
  const alias = { "@": path.join(root, "src") };
  const { output } = await cruise(["src"], rules, { alias, extensions: [".tsx", ".ts"] });
  const found = {};
  for (const { from, rule } of output.summary.violations) {
    const file = from.replace(/^src\//, "");
    found[file] = [...(found[file] ?? []), rule.name];
  }
  return found;
}

let found;
beforeAll(async () => {
  const there = THERE.map((file) => [file, "export const y = 1;\nexport type Y = number;"]);
  found = await violations("one", [...there, ...REFUSED, ...PASSES]);
});

it.each(REFUSED)("%s: %s is refused", (file, _text, rule) => {
  expect(found[file]).toContain(rule);
});

it("refuses nothing else", () => {
  expect(Object.keys(found).sort()).toEqual(REFUSED.map(([file]) => file).sort());
});

it("refuses features that need each other", async () => {
  const circle = await violations("two", [
    ["features/a/index.ts", 'export { y as x } from "@/features/b";'],
    ["features/b/index.ts", 'export { y } from "./deep/y";'],
    ["features/b/deep/y.ts", 'import { z } from "@/features/c";\nexport const y = z;'],
    ["features/c/index.ts", "export const z = 1;"],
    ["features/c/w.ts", 'import { x } from "@/features/a";\nexport const w = x;'],
  ]);
  const names = ["features/a", "features/b", "features/c"];
  expect(circle).toEqual(Object.fromEntries(names.map((name) => [name, ["circle-of-features"]])));
});
