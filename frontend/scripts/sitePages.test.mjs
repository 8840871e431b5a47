import { expect, test } from "vitest";
import { pageFiles } from "./sitePages.mjs";

const shell =
  '<html><head><meta name="description" content="玄览云"><title>玄览云</title></head><body></body></html>';
const routes = [
  { path: "/", title: "首页", access: "public", open: true },
  { path: "/index1", title: "首页", access: "public", open: true },
  { path: "/pricePage", title: "会员与价格", access: "public", open: true },
  { path: "/case", title: "案例中心", access: "public", open: false },
  { path: "/workbench", title: "工作台", access: "login", open: true },
];

test("each public page has its own head", () => {
  const files = pageFiles(shell, routes, {
    "/": { title: "玄览云 - 轻盈", description: "体检与轻量化" },
    "/pricePage": { description: '“会员”与<价格>"' },
  });
  expect(files.get("pages/pricePage.html")).toContain("<title>会员与价格 - 玄览云</title>");
  expect(files.get("pages/pricePage.html")).toContain('content="“会员”与&lt;价格&gt;&quot;"');
  expect(files.get("pages/home.html")).toContain("<title>玄览云 - 轻盈</title>");
  expect(files.get("pages/unlisted.html")).toContain('<meta name="robots" content="noindex">');
});

test("the list has every page; aliases are known by their page's path; what is not open, or private, has no HTML of its own", () => {
  const files = pageFiles(shell, routes, {
    "/index1": { description: "x", canonical: "/" },
    "/pricePage": { description: "x" },
  });
  const { unlisted, pages } = JSON.parse(files.get("routes.json"));
  expect(unlisted).toBe("/pages/unlisted.html");
  expect(pages).toEqual([
    { path: "/" },
    { path: "/index1", html: "/pages/index1.html", canonical: "/" },
    { path: "/pricePage", html: "/pages/pricePage.html", canonical: "/pricePage" },
    { path: "/case" },
    { path: "/workbench" },
  ]);
});

test("a page that is not open cannot be told of", () => {
  expect(() => pageFiles(shell, routes, { "/case": { description: "x" } })).toThrow("/case");
});
