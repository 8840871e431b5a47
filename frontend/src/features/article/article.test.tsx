import { readdirSync, readFileSync } from "node:fs";
import { screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, test, vi } from "vitest";
import { findings } from "@/test/axe";
import { contentAnswers } from "@/test/content";
import { renderPage } from "@/test/render";
import { answer } from "@/test/server";
import { Blocks } from "./Blocks";
import { headingsOf, linkOf, readBlocks } from "./blocks";
import { drawingFor } from "./Drawn";

const line = (text: string) => [{ text }];
const read = (...blocks: unknown[]) => readBlocks({ version: 1, blocks });

function show(...blocks: unknown[]) {
  answer(contentAnswers({}));
  return renderPage(
    <MemoryRouter>
      <main>
        <h1>标题</h1>
        <Blocks blocks={read(...blocks)} />
      </main>
    </MemoryRouter>,
  );
}

describe("blocks are read with care", () => {
  test("what is not known or does not fit is left out, the rest stays", () => {
    const blocks = read(
      { type: "hologram", text: line("x") },
      { type: "text", text: line("在") },
      { type: "text", text: 7 },
      { type: "picture", sample: "../etc", view: "front", alt: "x" },
      { type: "__proto__", text: line("x") },
      "text",
      null,
    );
    expect(blocks).toEqual([{ type: "text", text: [{ text: "在" }] }]);
    for (const content of [undefined, null, "x", [], { blocks: {} }]) expect(readBlocks(content)).toEqual([]);
  });

  test("links lead into the site, to an anchor or to https, nowhere else", () => {
    for (const href of ["/helpCenter?id=1#a", "#part", "https://example.test/a"])
      expect(linkOf(href)).toBe(href);
    for (const href of [
      "javascript:alert(1)",
      "java\tscript:alert(1)",
      "//evil.test",
      "/\\evil.test",
      "/\t/evil.test",
      "http://plain.test",
      "data:text/html,x",
      "https:///x",
      "#",
      "",
      7,
    ])
      expect(linkOf(href), String(href)).toBeUndefined();
  });

  test("each heading has an anchor of its own", () => {
    const blocks = read(
      { type: "heading", level: 2, id: "a", text: line("一") },
      { type: "heading", level: 3, id: "a", text: line("二") },
      { type: "heading", level: 9, id: "", text: line("三") },
    );
    expect(headingsOf(blocks)).toEqual([
      { id: "a", level: 2, text: "一" },
      { id: "part-2", level: 3, text: "二" },
      { id: "part-3", level: 2, text: "三" },
    ]);
  });

  test("blocks lie no deeper than they may", () => {
    let inner: unknown = { type: "text", text: line("底") };
    for (let depth = 0; depth < 50; depth += 1)
      inner = { type: "questions", items: [{ question: "问", blocks: [inner] }] };
    expect(JSON.stringify(read(inner))).not.toContain("底");
  });
});

test("every type of block is shown by what stands in it", async () => {
  show(
    { type: "heading", level: 2, id: "begin", text: line("开始") },
    {
      type: "text",
      text: [
        { text: "点 " },
        { text: "上传", bold: true },
        { text: "，见 " },
        { text: "格式", href: "/formatConversion" },
      ],
    },
    { type: "list", ordered: true, items: [line("第一"), [{ text: "npm i", code: true }]] },
    { type: "table", head: [[], line("读入")], rows: [[line("GLB"), line("可以")]] },
    { type: "code", language: "js", text: "const a = 1;" },
    { type: "picture", sample: "gears", view: "front", alt: "行星齿轮，正面" },
    { type: "action", path: "/workbench/myUpload", label: "去上传" },
    { type: "figure", value: "6.4 MB", source: "scripts/bench-engine", note: "减到一成之后" },
    { type: "figure", value: "0.21 秒", source: "scripts/bench-engine", note: "用时" },
    { type: "questions", items: [{ question: "要多久", blocks: [{ type: "text", text: line("几秒。") }] }] },
    {
      type: "steps",
      items: [
        {
          title: "选文件",
          blocks: [
            { type: "text", text: line("拖进来。") },
            { type: "model", sample: "vase", note: "瓷瓶" },
          ],
        },
        { title: "看报告", blocks: [] },
      ],
    },
  );
  expect(screen.getByRole("heading", { level: 2, name: /^开始/ })).toHaveAttribute("id", "begin");
  expect(screen.getByText("上传").tagName).toBe("STRONG");
  expect(screen.getByRole("link", { name: "格式" })).toHaveAttribute("href", "/formatConversion");
  expect(screen.getByText("npm i").tagName).toBe("CODE");
  expect(screen.getByRole("columnheader", { name: "读入" })).toBeInTheDocument();
  expect(screen.getByRole("rowheader", { name: "GLB" })).toBeInTheDocument();
  expect(screen.getByText("const a = 1;")).toBeInTheDocument();
  expect(screen.getByRole("img", { name: "行星齿轮，正面" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "去上传" })).toHaveAttribute("href", "/workbench/myUpload");
  expect(screen.getByText("6.4 MB")).toBeInTheDocument();
  expect(screen.getAllByText("scripts/bench-engine")).toHaveLength(2);
  expect(screen.getByText("几秒。")).toBeInTheDocument();
  const steps = screen
    .getAllByRole("listitem")
    .filter((item) => within(item).queryByRole("heading", { level: 3 }));
  expect(steps.map((step) => within(step).getByRole("heading", { level: 3 }).textContent)).toEqual([
    "选文件",
    "看报告",
  ]);
  expect(within(steps[0] as HTMLElement).getByRole("img", { name: "瓷瓶" })).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

test("hostile text stays text in every block", () => {
  const bad = `"><img src=x onerror=hit()><script>hit()</script>{{hit()}}`;
  show(
    { type: "heading", level: 2, id: bad, text: line(bad) },
    { type: "text", text: [{ text: bad, href: "javascript:hit()" }] },
    { type: "list", ordered: false, items: [line(bad)] },
    { type: "table", head: [line(bad)], rows: [[line(bad)]] },
    { type: "code", language: bad, text: bad },
    { type: "picture", sample: "gears", view: bad, alt: bad },
    { type: "model", sample: "gears", note: bad },
    { type: "compare", sample: "gears", note: bad },
    { type: "action", path: "javascript:hit()", label: bad },
    { type: "action", path: "/x", label: bad },
    { type: "figure", value: bad, source: bad, note: bad },
    { type: "questions", items: [{ question: bad, blocks: [{ type: "text", text: line(bad) }] }] },
    { type: "steps", items: [{ title: bad, blocks: [{ type: "text", text: line(bad) }] }] },
  );
  expect(document.querySelectorAll("script, img[onerror], [onerror]")).toHaveLength(0);
  expect(document.body.innerHTML).not.toMatch(/href="javascript:/i);
  expect(screen.getAllByText(bad, { exact: false }).length).toBeGreaterThan(10);
});

test("code is copied, and says so", async () => {
  const { user } = show({ type: "code", language: "sh", text: "scripts/run" });
  const write = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(screen.getByRole("button", { name: "复制代码" }));
  expect(write).toHaveBeenCalledWith("scripts/run");
  expect(await screen.findByText("已复制")).toBeInTheDocument();
});

test("a picture is the mall's render of that very model; another's parameters are drawn", async () => {
  const listing = { listingId: "m1", name: "直齿轮 24 齿 模数 2", thumbUrl: "https://x.test/gear.webp" };
  answer({
    ...contentAnswers({}),
    list: { datas: { totalCount: 1, results: [listing], facets: [], corrected: "" } },
  });
  renderPage(
    <MemoryRouter>
      <Blocks
        blocks={read(
          { type: "picture", sample: "spur-gear", view: "front", alt: "直齿轮" },
          { type: "picture", sample: "spur-gear", params: { teeth: "40" }, view: "front", alt: "四十齿" },
        )}
      />
    </MemoryRouter>,
  );
  await waitFor(() =>
    expect(screen.getByRole("img", { name: "直齿轮" })).toHaveAttribute("src", "https://x.test/gear.webp"),
  );
  expect(screen.getByRole("img", { name: "四十齿" }).tagName).toBe("svg");
});

test("every family of generated models has a drawing; what is not known is the mark", () => {
  expect(drawingFor("gears")).toBe("gears");
  expect(drawingFor("spur-gear")).toBe("gear");
  expect(drawingFor("street-lamp")).toBe("street-lamp");
  const families = readdirSync("../crates/modelkit/src/sample/family").flatMap((file) => {
    const text = readFileSync(`../crates/modelkit/src/sample/family/${file}`, "utf8");
    return /Family = Family \{\s*name: "([^"]+)"/.exec(text)?.[1] ?? [];
  });
  expect(families.length).toBeGreaterThan(20);
  for (const family of families) expect(drawingFor(family), family).not.toBe("lens-cube");
  expect(drawingFor("constructor")).toBe("lens-cube");
});
