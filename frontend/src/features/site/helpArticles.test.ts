import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HELP_ARTICLES } from "./helpArticles";

const ids = HELP_ARTICLES.map((article) => article.id);

/** Every address of a help article that the code of the pages holds. */
function addresses(): { file: string; id: string }[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join("src", file), "utf8");
      // an address that is put together from an article's own id cannot be wrong
      const found = text.matchAll(/\/helpCenter\?id=(?!\$\{)([^"'`&#\s]*)/g);
      return [...found].map((match) => ({ file, id: match[1] ?? "" }));
    });
}

it("gives every article an id of its own", () => {
  expect(new Set(ids).size).toBe(ids.length);
});

it("holds every article that an address in the code names", () => {
  const named = addresses();
  expect(named.map((one) => one.id)).toContain("appeal");
  expect(named.filter((one) => !ids.includes(one.id))).toEqual([]);
});
