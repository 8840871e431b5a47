import { expect, it } from "vitest";
import { strayFiles } from "./apart.mjs";

const files = [
  "/p/src/console/main.tsx",
  "/p/src/ui/Pager.tsx",
  "/p/src/consoles.ts",
  "/p/node_modules/x/src/console/y.js",
];

it("finds what lies in a folder that the bundle must not contain", () => {
  expect(strayFiles(files, "/p", ["src/console"])).toEqual(["src/console/main.tsx"]);
  expect(strayFiles(files, "/p", ["src/app", "src/ui"])).toEqual(["src/ui/Pager.tsx"]);
  expect(strayFiles(files, "/p", ["src/pages"])).toEqual([]);
});
