import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SEED = "../services/content/seed/help";

/** Every help article referenced by its slug in the code of the pages. */
function named(): { file: string; slug: string }[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)test\/|\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join("src", file), "utf8");
      // an address built from an article's own id cannot be wrong
      const found = text.matchAll(/\/helpCenter\?id=(?!\$\{)([^"'`&#\s]*)/g);
      return [...found].map((match) => ({ file, slug: match[1] ?? "" }));
    });
}

it("every help article that the pages name comes with the program", () => {
  const slugs = readdirSync(SEED).map(
    (file) => /slug = "([^"]+)"/.exec(readFileSync(join(SEED, file), "utf8"))?.[1],
  );
  expect(named().map(({ slug }) => slug)).toContain("appeal");
  expect(named().filter(({ slug }) => !slugs.includes(slug))).toEqual([]);
});
