import { expect, test } from "vitest";
import { admits, type Manifest, readManifest } from "./manifest";

const manifest = (change: Partial<Manifest>): Manifest => ({
  share: "s",
  name: "齿轮",
  model: "",
  proxy: "",
  bytes: 0,
  scene: null,
  options: null,
  look: "",
  parents: [],
  anywhere: false,
  site: ["http://site.test:7080"],
  ...change,
});

test("only pages that may frame it are heard", () => {
  const named = manifest({ parents: ["a.test", "*.b.test:81"] });
  for (const origin of ["https://a.test", "http://a.test", "http://x.b.test:81", "http://site.test:7080"])
    expect([origin, admits(named, origin)]).toEqual([origin, true]);
  for (const origin of [
    "https://a.test.evil",
    "https://evil-b.test:81",
    "http://b.test:81",
    "http://x.b.test",
    "null",
    "",
    "http://site.test",
  ])
    expect([origin, admits(named, origin)]).toEqual([origin, false]);
  expect(admits(manifest({ anywhere: true }), "https://any.test")).toBe(true);
  expect(admits(manifest({ anywhere: true }), "null")).toBe(false);
  expect(admits(manifest({}), "https://any.test")).toBe(false);
});

test("a page without its manifest shows nothing", () => {
  expect(readManifest(null)).toBeUndefined();
  expect(readManifest("%MANIFEST%")).toBeUndefined();
  expect(readManifest('{"name":"\\u003cb>"}')?.name).toBe("<b>");
});
