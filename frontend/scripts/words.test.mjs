import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const source = path.join(import.meta.dirname, "../src");

/** Lines of the sources that match, as file and text. */
async function linesWith(pattern) {
  const names = await readdir(source, { recursive: true });
  const files = names.filter((name) => /\.tsx?$/.test(name) && !name.includes("generated"));
  const found = files.map(async (name) => {
    const lines = (await readFile(path.join(source, name), "utf8")).split("\n");
    return lines.filter((line) => pattern.test(line)).map((line) => `${name}: ${line.trim()}`);
  });
  return (await Promise.all(found)).flat();
}

test("users are addressed as 您 everywhere", async () => {
  expect(await linesWith(/你/)).toEqual([]);
});

test("dates have the format of dateText, not that of the browser", async () => {
  expect(await linesWith(/Date\([^)]*\)\.toLocale(Date)?String/)).toEqual([]);
});
