import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FIRST_TEXTS, withFirstText } from "./firstText.mjs";
import { sitePages } from "./pages.mjs";

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src");
const COMPONENTS = { home: "features/home/Hero.tsx", pricePage: "pages/pricePage/index.tsx" };
const shell =
  '<html><head><title>玄览云</title></head><body><div id="root"></div><noscript><div class="boot">x</div></noscript></body></html>';

test("the first lines are those that the page draws later", () => {
  expect(Object.keys(COMPONENTS)).toEqual(Object.keys(FIRST_TEXTS));
  for (const [script, { html }] of Object.entries(FIRST_TEXTS)) {
    const source = readFileSync(path.join(src, COMPONENTS[script]), "utf8");
    for (const line of html.split(/<[^>]*>/).filter(Boolean)) expect(source).toContain(line);
  }
});

test("they are pages of the register, stand where the script draws, and are all that a visitor without script sees", () => {
  const scripts = sitePages().map((page) => page.script);
  for (const script of Object.keys(FIRST_TEXTS)) {
    expect(scripts).toContain(script);
    const page = withFirstText(shell, script);
    expect(page).toMatch(/<style>[^<]*<\/style><\/head>/);
    expect(page).toMatch(
      /<div id="root"><main class="first">.*<noscript><p>[^<]+<\/p><\/noscript><\/main><\/div>/,
    );
    expect(page.match(/<noscript>/g)).toHaveLength(1);
  }
  expect(withFirstText(shell, "siteMap")).toBe(shell);
});
