import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORMATS } from "@/facts/formats";
import { GIFT, PAY_MINUTES } from "@/facts/shop";
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

it("states the figures of the sources", () => {
  const text = (id: string) => JSON.stringify(HELP_ARTICLES.find((article) => article.id === id)?.blocks);
  for (const row of FORMATS.filter((one) => one.reads === "model" && one.uploads)) {
    expect(text("formats")).toContain(JSON.stringify([row.title, row.reading]).slice(1, -1));
  }
  expect(text("member")).toContain(`${PAY_MINUTES} 分钟内有效`);
  for (const coupon of GIFT) expect(text("member")).toContain(`${coupon.faceValue / 100} 元（满 `);
  expect(text("report")).toContain("三角面超过 10 万、贴图总像素超过 1677 万（约一张 4096 × 4096）");
});
