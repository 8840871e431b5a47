import { expect, it } from "vitest";
import {
  chosen,
  cleared,
  FACETS,
  isNarrowed,
  LAST_PAGE,
  pageOf,
  requestOf,
  searchPath,
  toggled,
  withPage,
  withSort,
} from "./address";

const query = (text = "") => new URLSearchParams(text);

it("asks for what the address tells, and for nothing else (ML005)", () => {
  expect(requestOf("", query())).toEqual({ pageNo: 1, pageSize: 24 });
  const all =
    "category=7&label=a,b&format=glb,obj&price=1-5000&license=commercial&triangles=0-10000&animation=true" +
    "&score=80-&origin=own,ai&seller=u9&sort=priceAsc&page=3";
  expect(requestOf(" 齿轮 ", query(all))).toEqual({
    keyword: "齿轮",
    categoryId: "7",
    labelIds: "a,b",
    formats: "glb,obj",
    priceMin: 1,
    priceMax: 4999,
    license: "commercial",
    triangleMin: 0,
    triangleMax: 9999,
    animated: "true",
    scoreMin: 80,
    origin: "own,ai",
    sellerId: "u9",
    sort: "priceAsc",
    pageNo: 3,
    pageSize: 24,
  });
});

it("adds and takes a choice, and begins at the first page then", () => {
  const first = toggled(query("sort=sales&page=4"), "format", "glb");
  expect(first.toString()).toBe("sort=sales&format=glb");
  const both = toggled(first, "format", "obj");
  expect(chosen(both, "format")).toEqual(["glb", "obj"]);
  expect(chosen(toggled(both, "format", "glb"), "format")).toEqual(["obj"]);
  // only one price band at a time
  expect(toggled(query("price=1-5000"), "price", "5000-10000").get("price")).toBe("5000-10000");
  expect(toggled(query("price=1-5000"), "price", "1-5000").has("price")).toBe(false);
  expect(cleared(query("price=1-5000&label=a&sort=sales&page=2")).toString()).toBe("sort=sales");
  expect(withSort(query("sort=sales&page=2"), "comprehensive").toString()).toBe("");
});

it("keeps to what the server takes, whatever the address says", () => {
  const odd = query(
    `page=99999&sort=hack&price=a-b&triangles=5&format=${Array(40)
      .fill(0)
      .map((_, i) => `f${i}`)}`,
  );
  const request = requestOf("字".repeat(300), odd);
  expect(request.pageNo).toBe(LAST_PAGE);
  expect(request.keyword).toHaveLength(100);
  expect(request.formats?.split(",")).toHaveLength(20);
  expect(Object.keys(request).sort()).toEqual(["formats", "keyword", "pageNo", "pageSize"]);
  expect(["-1", "0", "1.5", "abc"].map((page) => pageOf(query(`page=${page}`)))).toEqual([1, 1, 1, 1]);
  expect(withPage(query("page=3"), 1).toString()).toBe("");
});

it("drops what no search takes: neither sent, nor shown as a filter", () => {
  const odd = query(
    "license=foo&origin=own,bar&animation=yes&price=a-b&triangles=9-9&score=101-&sort=x&page=abc&format=glb",
  );
  expect(requestOf("", odd)).toEqual({ origin: "own", formats: "glb", pageNo: 1, pageSize: 24 });
  expect(FACETS.flatMap((facet) => chosen(odd, facet))).toEqual(["glb", "own"]);
  expect(isNarrowed(query("license=foo&score=80"))).toBe(false);
  expect(isNarrowed(query("license=personal"))).toBe(true);
  expect(toggled(query("origin=bar,ai"), "origin", "own").get("origin")).toBe("ai,own");
});

it("leads to words with any characters, and to no word (ML005)", () => {
  expect(searchPath("")).toBe("/transaction/search");
  expect(searchPath("a/b?c#100%")).toBe("/transaction/search/a%2Fb%3Fc%23100%25");
  expect(searchPath("齿轮", query("format=glb"))).toBe(
    `/transaction/search/${encodeURIComponent("齿轮")}?format=glb`,
  );
});
