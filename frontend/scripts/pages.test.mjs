import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generated, missingScripts, parsePages, plainPath, sitePages } from "./pages.mjs";

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src");
/** Text of each source file by its path below src. */
function sources() {
  const files = readdirSync(src, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => [file.split(path.sep).join("/"), readFileSync(path.join(src, file), "utf8")]);
}
const HEAD = "path title layout access state area source script canonical description";
const register = (...rows) => [HEAD, ...rows].join("\n").replaceAll(" ", "\t");
const CASE = "/case 案例中心 default public open content contract case  案例";

test("has the pages of the contract (AM066)", () => {
  const pages = sitePages();
  expect(pages.filter((page) => page.source === "contract")).toHaveLength(169);
  expect(missingScripts(pages)).toEqual([]);
});

test("is what src was generated from", () => {
  for (const [file, text] of Object.entries(generated(sitePages())))
    expect(readFileSync(path.join(src, "app", file), "utf8")).toBe(text);
});

test.each([
  ["/case 案例中心 default public open content contract", "an open page has a script"],
  ["/case 案例中心 default public soon content contract case", "an open page has a script"],
  ["/case 案例中心 default public soon content contract   案例", "only an open page"],
  ["/case 案例中心 default login open content contract case  案例", "only an open page"],
  ["/case 案例中心 default anybody open content contract case", "access is none of"],
  ["/case 案例中心 default public ready content contract case", "state is none of"],
  ["/case 案例中心 default public open content contract case /none", "/none has no description"],
  ["/case case default public open content contract case", "no Chinese title"],
  ["case 案例中心 default public open content contract case", "no path"],
  ["/CASE 案例中心 default public soon content own", "this path stands twice"],
  ["/a 案例中心 default public soon content own      ", "too many columns"],
])("refuses %s", (row, why) => {
  expect(() => parsePages(register(...(row.startsWith("/CASE") ? [row, CASE] : [row])))).toThrow(why);
});

test("refuses other columns", () => {
  expect(() => parsePages("path\ttitle\n")).toThrow("the columns are not");
});

/** Page addresses in a source: quoted texts that begin with a page's first part, and targets of links. */
function addressesIn(text, firstParts) {
  const quoted = [...text.matchAll(/(\b(?:to|href|navigate)\b[=:({\s]{1,4})?["'`](\/[A-Za-z][\w./-]*)/g)];
  return quoted
    .filter(([, link, address]) => link || firstParts.has(address.split("/")[1].toLowerCase()))
    .map(([, , address]) => address.replace(/\/$/, ""));
}

test("no link of the site leads to an address that is no page, or to one that is gone", () => {
  const pages = sitePages();
  const firstParts = new Set(pages.map((page) => page.path.split("/")[1].toLowerCase()).filter(Boolean));
  const there = new Set(
    pages.filter((page) => page.state !== "gone").map((page) => plainPath(page).toLowerCase()),
  );
  const wrong = [];
  let links = 0;
  for (const [file, text] of sources()) {
    if (/^(console|embed|offline|test|api|facts)\/|\.test\.|generated/.test(file)) continue;
    for (const address of addressesIn(text, firstParts)) {
      links += 1;
      if (!there.has(address.toLowerCase())) wrong.push(`${file}: ${address}`);
    }
  }
  expect(links).toBeGreaterThan(250);
  expect(wrong).toEqual([]);
});

test("every page's folder belongs to a row", () => {
  const scripts = new Set(sitePages().map((page) => page.script));
  const folders = readdirSync(path.join(src, "pages"), { recursive: true })
    .filter((file) => path.basename(file) === "index.tsx")
    .map((file) => path.dirname(file).split(path.sep).join("/"));
  expect(folders.filter((folder) => !scripts.has(folder))).toEqual([]);
});
