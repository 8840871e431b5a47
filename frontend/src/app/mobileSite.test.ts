import { expect, test } from "vitest";
import { MOBILE_PATHS, mobileTarget } from "./mobileSite";

const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
const at = (pathname: string, search = "", hash = "") => ({
  origin: "https://www.xuanlan.test",
  pathname,
  search,
  hash,
});

test("a phone is sent to the configured site, a desktop browser is not (MO001, MO005)", () => {
  for (const path of ["/", "/transaction/detail", "/activePage", "/operate/visualization"]) {
    expect(mobileTarget("https://m.xuanlan.test/", at(path), PHONE)).toBe(`https://m.xuanlan.test${path}`);
    expect(mobileTarget("https://m.xuanlan.test/", at(path), DESKTOP)).toBeUndefined();
  }
});

test.each([
  ["MO002", "/transaction/detail"],
  ["MO003", "/activePage"],
  ["MO004", "/operate/visualization"],
])("the table of addresses on the phone site has a row (%s, AM073)", (_, path) => {
  const target = MOBILE_PATHS[path];
  expect(target).toBeDefined();
  expect(mobileTarget("https://m.xuanlan.test/", at(path), PHONE)).toBe(`https://m.xuanlan.test${target}`);
});

test("query and anchor go along", () => {
  expect(mobileTarget("https://m.xuanlan.test/h5", at("/transaction/detail/", "?id=7", "#a"), PHONE)).toBe(
    "https://m.xuanlan.test/h5/transaction/detail?id=7#a",
  );
});

test("without a usable site nobody is sent away, and nobody in a circle", () => {
  expect(mobileTarget("", at("/"), PHONE)).toBeUndefined();
  expect(mobileTarget("m.xuanlan.test", at("/"), PHONE)).toBeUndefined();
  expect(mobileTarget("javascript:alert(1)", at("/"), PHONE)).toBeUndefined();
  expect(mobileTarget("https://www.xuanlan.test/", at("/"), PHONE)).toBeUndefined();
});
