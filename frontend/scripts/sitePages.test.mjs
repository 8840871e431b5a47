import { expect, test } from "vitest";
import { parsePages } from "./pages.mjs";
import { pageFiles } from "./sitePages.mjs";

const shell =
  '<html><head><meta name="description" content="玄览云"><title>玄览云</title></head><body></body></html>';
const HEAD = "path title layout access state area source script canonical description";
const pages = parsePages(
  [
    HEAD,
    "/ 首页 default public open site contract home  体检与轻量化",
    "/index1 首页 default public open site contract home /",
    '/pricePage 会员与价格 default asks open site contract pricePage  “会员”与<价格>"',
    "/case 案例中心 default public soon content contract",
    "/workbench 工作台 workbench login open workbench contract workbench/home",
    "/old 旧活动 default public gone landing own",
    "/search/:word? 搜索 default public open site own search",
  ]
    .join("\n")
    .replaceAll(" ", "\t"),
);
const files = pageFiles(shell, pages, ({ script }) => ({
  scripts: ["pricePage", "search"].includes(script) ? ["assets/shared.js", `assets/${script}.js`] : [],
  ...(script === "search" && { work: "postMessage(1 < 2)" }),
}));

test("each page has its own title, and those that search engines list their description", () => {
  expect(files.get("pages/pricePage.html")).toContain("<title>会员与价格 - 玄览云</title>");
  expect(files.get("pages/pricePage.html")).toContain('content="“会员”与&lt;价格&gt;&quot;"');
  for (const home of ["home", "index1"]) {
    expect(files.get(`pages/${home}.html`)).toContain("<title>玄览云 - 让每一个三维模型，轻盈抵达</title>");
    expect(files.get(`pages/${home}.html`)).toContain('content="体检与轻量化"');
    expect(files.get(`pages/${home}.html`)).not.toContain("noindex");
  }
  expect(files.get("pages/workbench.html")).toContain("<title>工作台 - 玄览云</title>");
  expect(files.get("pages/unlisted.html")).toContain("<title>页面不存在 - 玄览云</title>");
  for (const unlisted of ["workbench", "case", "old", "search", "unlisted"])
    expect(files.get(`pages/${unlisted}.html`)).toContain('<meta name="robots" content="noindex">');
});

test("the list has every page; aliases are known by their page's path, and what is listed has a canonical one", () => {
  const list = JSON.parse(files.get("routes.json"));
  expect(list.unlisted).toBe("/pages/unlisted.html");
  expect(list.pages).toEqual([
    { path: "/", html: "/pages/home.html", canonical: "/" },
    { path: "/index1", html: "/pages/index1.html", canonical: "/" },
    { path: "/pricePage", html: "/pages/pricePage.html", canonical: "/pricePage" },
    { path: "/case", html: "/pages/case.html" },
    { path: "/workbench", html: "/pages/workbench.html" },
    { path: "/old", html: "/pages/old.html", gone: true },
    { path: "/search/:word?", html: "/pages/search.html" },
  ]);
});

test("a page's scripts load with its HTML, in order", () => {
  expect(files.get("pages/search.html")).toContain(
    '<link rel="preload" as="script" href="/assets/shared.js"><link rel="preload" as="script" href="/assets/search.js">',
  );
  expect(files.get("pages/case.html")).not.toContain("preload");
});

test("a page that needs a worker early has its text", () => {
  const text = '<script type="text/plain" id="early-work">postMessage(1 < 2)</script>';
  expect(files.get("pages/search.html")).toContain(text);
  expect(files.get("pages/case.html")).not.toContain("early-work");
});

test("the scripts of a page with first lines come after what these need", () => {
  expect(files.get("pages/pricePage.html")).toContain(
    '<link rel="preload" as="script" fetchpriority="low" href="/assets/pricePage.js"></head>',
  );
});
