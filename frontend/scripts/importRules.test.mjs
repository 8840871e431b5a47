import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { importProblems, sourcesOf } from "./importRules.mjs";

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src");
const problems = (files) => importProblems(new Map(Object.entries(files)));

it("finds nothing wrong in src, and does read it", () => {
  const sources = sourcesOf(src);
  expect(sources.size).toBeGreaterThan(300);
  expect(importProblems(sources)).toEqual([]);
});

it.each([
  ["features/a/x.ts", 'import { y } from "@/pages/y";', "pages is above features/a"],
  ["features/a/x.ts", 'import { y } from "../../app/router";', "app is above features/a"],
  ["features/a/x.ts", 'import type { Y } from "@/app/routes";', "app is above features/a"],
  ["features/a/x.ts", 'const y = () => import("@/pages/y");', "pages is above features/a"],
  ["features/a/x.ts", 'export { y } from "@/features/b/y";', "enter features/b through its index"],
  ["features/a/x.ts", 'import {\n  y,\n} from "../b/y";', "enter features/b through its index"],
  [
    "pages/a/index.tsx",
    'import(/* webpackChunkName: "y" */ "@/features/b/y");',
    "enter features/b through its index",
  ],
  ["ui/x.tsx", 'import { y } from "@/session";', "session is above ui"],
  ["ui/x.tsx", 'import "@/api/base";', "api is above ui"],
  ["lib/x.ts", 'import { y } from "../ui/y";', "ui is above lib"],
  ["session/x.ts", 'import { y } from "@/features/b";', "features/b is above session"],
  ["viewer/x.ts", 'import { y } from "@/transfer/y";', "transfer is beside viewer"],
  ["app/paths/x.ts", 'import { y } from "../routes/y";', "app is above app/paths"],
  ["console/x.ts", 'import { y } from "@/features/a";', "the console takes nothing of features/a"],
  ["console/kit/x.ts", 'import { y } from "@/session";', "the console takes nothing of session"],
  ["console/kit/x.ts", 'import { y } from "../modules/a/y";', "console/modules/a is above console/kit"],
  ["console/modules/a/x.ts", 'import { y } from "../b/y";', "console/modules/b is beside console/modules/a"],
  ["console/modules/a/x.ts", 'import { y } from "../../frame/y";', "console is above console/modules/a"],
  ["app/x.ts", 'import { y } from "@/console/frame/y";', "console is beside app"],
])("%s: %s is refused", (file, text, why) => {
  expect(problems({ [file]: text })).toEqual([expect.stringContaining(why)]);
});

it.each([
  ["features/a/x.ts", 'import { y } from "@/features/b";'],
  [
    "features/a/x.ts",
    'import { y } from "./deep/y"; import { z } from "@/app/paths"; import React from "react";',
  ],
  ["pages/a/index.tsx", 'import { y } from "@/features/b"; import { z } from "@/ui/z";'],
  ["api/x.ts", 'import { y } from "@/session/cookies";'],
  ["app/x.ts", 'import { y } from "@/pages/y"; import { z } from "./paths";'],
  ["features/a/x.test.ts", 'import { y } from "@/app/router";'],
  ["console/modules/a/x.ts", 'import { y } from "@/console/kit/y"; import { z } from "@/ui/z";'],
  ["console/frame/x.ts", 'import { y } from "../generated/modules";'],
])("%s: %s passes", (file, text) => {
  expect(problems({ [file]: text })).toEqual([]);
});

it("refuses features that need each other", () => {
  expect(
    problems({
      "features/a/x.ts": 'import { y } from "@/features/b";',
      "features/b/x.ts": 'import { y } from "@/features/c";',
      "features/c/x.ts": 'import { y } from "@/features/a";',
    }),
  ).toEqual(["features in a circle: features/a → features/b → features/c → features/a"]);
});

it("refuses a folder without a layer", () => {
  expect(problems({ "misc/x.ts": "" })).toEqual([expect.stringContaining("its folder has no layer")]);
});
