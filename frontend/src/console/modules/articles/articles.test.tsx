import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";
import {
  compareLines,
  draftOf,
  emptyDraft,
  linesIn,
  problemsOf,
  readTable,
  requestOf,
  shownTable,
  slugProblem,
} from "./form";
import { readTyped, typed } from "./inline";

const NOW = 1_790_000_000_000;
const call = (name: string) => `/api-console/content/${name}`;
const line = (text: string) => [{ text }];
const blocks = [
  { type: "heading", level: 2, id: "begin", text: line("开始") },
  { type: "text", text: [{ text: "点 " }, { text: "上传", bold: true }] },
  { type: "hologram", depth: 3 },
];
const draft = {
  title: "上传模型",
  summary: "三步。",
  categoryId: "9001",
  order: 10,
  date: "2026-11-20",
  cover: { sample: "gears", view: "front", alt: "齿轮" },
  related: ["formats"],
  content: { version: 1, blocks },
};
const item = {
  id: "1001",
  kind: "help",
  slug: "upload",
  state: "published",
  title: "上传模型",
  categoryId: "9001",
  path: "/helpCenter?id=1001",
  publishedRevision: 1,
  latestRevision: 2,
  publishedAt: NOW,
  updatedAt: NOW,
  fromSeed: false,
};
const revision = (number: number) => ({
  revision: number,
  title: "上传模型",
  savedBy: number > 1 ? "linyi" : "",
  savedAt: NOW,
  publishedAt: number === 1 ? NOW : 0,
  restoredFrom: 0,
});
const found = { article: item, draft, revisions: [revision(2), revision(1)] };
const categories = {
  categories: [
    {
      id: "9001",
      kind: "help",
      slug: "start",
      parentId: "",
      title: "新手上路",
      summary: "",
      order: 10,
      articles: 3,
    },
  ],
};

describe("one line as it is typed", () => {
  it.each([
    [[{ text: "平常" }]],
    [[{ text: "a*b`c[d]\\" }]],
    [[{ text: "看" }, { text: "这里", href: "/a?b=1" }, { text: "。" }]],
    [
      [
        { text: "重", bold: true },
        { text: "npm i", code: true },
        { text: "链", bold: true, href: "#x" },
      ],
    ],
  ])("%j is typed and read as itself", (runs) => {
    expect(readTyped(typed(runs))).toEqual(runs);
  });

  it("takes what does not close as text", () => {
    for (const text of ["**a", "`a", "[a](", "[a]", "****", "``", "[](/x)"]) {
      expect(
        readTyped(text)
          .map((run) => run.text)
          .join(""),
      ).toBe(text);
    }
  });
});

it("what the editor does not know stays as it is, headings get anchors", () => {
  const again = requestOf(draftOf(draft));
  expect(again).toEqual(draft);
  const more = draftOf({
    ...draft,
    content: { version: 1, blocks: [{ type: "heading", level: 2, id: "", text: line("新") }] },
  });
  expect(requestOf(more).content).toMatchObject({ blocks: [{ id: "part-1" }] });
});

it("a table is typed in lines, each with as many cells as its head", () => {
  const table = { type: "table", head: [line("格式"), line("a|b")], rows: [[line("GLB"), line("可以")]] };
  expect(shownTable(table)).toBe("格式 | a\\|b\nGLB | 可以");
  expect(readTable(shownTable(table))).toEqual({ head: table.head, rows: table.rows });
  expect(readTable("a | b\nc").rows).toEqual([[line("c"), []]]);
});

it("a draft says what is missing and wrong", () => {
  expect(Object.keys(problemsOf(emptyDraft()))).toEqual(["title"]);
  const wrong = { ...emptyDraft(), title: "字".repeat(33), date: "今天", sample: "gears", blocks: [] };
  expect(Object.keys(problemsOf(wrong))).toEqual(["title", "date", "alt", "blocks"]);
  expect(slugProblem("a-1")).toBe("");
  for (const slug of ["", "A", "a b", "a".repeat(65)]) expect(slugProblem(slug)).not.toBe("");
});

it("revisions are compared line by line", () => {
  expect(compareLines(["一", "二", "三"], ["一", "三", "四"])).toEqual([
    { kind: "same", text: "一" },
    { kind: "gone", text: "二" },
    { kind: "same", text: "三" },
    { kind: "new", text: "四" },
  ]);
  expect(linesIn(draft)).toContain("段落：点 **上传**");
});

it("saves what was changed on the revision it began with, keeping other blocks", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("articles/show")]: { datas: found },
    [call("articles/save")]: { datas: { id: "1001", revision: 3 } },
    [call("categories/list")]: { datas: categories },
  });
  const { user } = open("/articles/1001");
  const title = await screen.findByLabelText("标题");
  await user.clear(title);
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  expect(await screen.findByText("请填写标题")).toBeInTheDocument();
  await user.type(title, "上传第一个模型");
  expect(screen.getByRole("button", { name: "发布" })).toBeDisabled();
  const text = within(screen.getByRole("group", { name: "正文第 2 块：段落" })).getByLabelText("文字");
  await user.clear(text);
  await user.type(text, "拖进 **虚线框**");
  await user.click(screen.getByRole("button", { name: "下移正文第 1 块" }));
  await user.click(screen.getByRole("button", { name: "在正文末尾添加" }));
  await user.click(screen.getByRole("button", { name: "删除正文第 4 块" }));
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  await waitFor(() => expect(heard.find((one) => one.call === call("articles/save"))).toBeDefined());
  expect(heard.find((one) => one.call === call("articles/save"))?.body).toEqual({
    id: "1001",
    baseRevision: 2,
    draft: {
      ...draft,
      title: "上传第一个模型",
      content: {
        version: 1,
        blocks: [
          { type: "text", text: [{ text: "拖进 " }, { text: "虚线框", bold: true }] },
          blocks[0],
          blocks[2],
        ],
      },
    },
  });
});

it("publishes the revision that was looked at, takes back with a reason, and gives a preview", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("articles/show")]: { datas: found },
    [call("articles/revision")]: ({ revision: number }) => ({
      datas: {
        revision: revision(Number(number)),
        draft: number === 1 ? { ...draft, summary: "四步。" } : draft,
      },
    }),
    [call("articles/publish")]: { datas: { article: item } },
    [call("articles/archive")]: { datas: { article: item } },
    [call("articles/preview")]: {
      datas: { ticket: "t", path: "/helpCenter?id=1001&preview=t", expiresAt: NOW },
    },
    [call("categories/list")]: { datas: categories },
  });
  const { user } = open("/articles/1001");
  await user.click(await screen.findByRole("button", { name: "发布" }));
  const dialog = await screen.findByRole("dialog", { name: "发布版本 2" });
  expect(await within(dialog).findByText("摘要：四步。")).toBeInTheDocument();
  // a published article cannot be scheduled
  expect(within(dialog).queryByRole("group", { name: "展示时间" })).toBeNull();
  await user.click(within(dialog).getByRole("button", { name: "确认发布" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("articles/publish"))?.body).toEqual({
      id: "1001",
      revision: 2,
      at: 0,
    }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(screen.getByRole("button", { name: "预览链接" }));
  await user.click(await screen.findByRole("button", { name: "生成" }));
  expect(await screen.findByText("/helpCenter?id=1001&preview=t")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "关闭" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(screen.getByRole("button", { name: "撤下" }));
  const archive = await screen.findByRole("dialog", { name: "撤下文章" });
  await user.click(within(archive).getByRole("button", { name: "已经过时" }));
  await user.click(within(archive).getByRole("button", { name: "撤下" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("articles/archive"))?.body).toEqual({
      id: "1001",
      reason: "已经过时",
    }),
  );
});

it("whoever may only read is offered nothing else", async () => {
  answers({
    "session/me": me(["article.read"]),
    [call("articles/show")]: { datas: found },
    [call("articles/list")]: { datas: { articles: [item], next: "" } },
  });
  open("/articles/1001");
  expect(await screen.findByRole("region", { name: "版本" })).toBeInTheDocument();
  for (const name of ["保存草稿", "发布", "撤下", "预览链接", "恢复版本 1"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

it("a new one asks for its kind and its slug", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("articles/save")]: { datas: { id: "1009", revision: 1 } },
    [call("articles/show")]: { datas: found },
    [call("categories/list")]: { datas: categories },
  });
  const { user, router } = open("/articles/new?kind=news");
  await user.type(await screen.findByLabelText("标题"), "更新");
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  expect(await screen.findByText(/用小写字母、数字和短横线/)).toBeInTheDocument();
  await user.type(screen.getByLabelText("短名"), "release-1");
  await user.type(screen.getByLabelText("文字"), "正文");
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/articles/1009"));
  expect(heard.find((one) => one.call === call("articles/save"))?.body).toMatchObject({
    kind: "news",
    slug: "release-1",
    draft: { title: "更新", content: { version: 1, blocks: [{ type: "text", text: line("正文") }] } },
  });
});

it("lists, categories and redirects", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("articles/list")]: { datas: { articles: [item], next: "" } },
    [call("categories/list")]: { datas: categories },
    [call("categories/save")]: { datas: categories.categories[0] },
    [call("redirects/list")]: {
      datas: { redirects: [{ from: "/old", to: "/new", savedBy: "linyi", savedAt: NOW }], next: "" },
    },
    [call("redirects/save")]: { datas: {} },
    [call("redirects/remove")]: {},
  });
  const { user, router } = open("/articles?kind=help");
  expect(await screen.findByRole("link", { name: "上传模型" })).toHaveAttribute("href", "/articles/1001");
  expect(screen.getByText(/有新草稿/)).toBeInTheDocument();

  await router.navigate("/articles/categories");
  await user.click(await screen.findByRole("button", { name: "修改 新手上路" }));
  const name = await screen.findByLabelText("名称");
  await user.clear(name);
  await user.type(name, "入门");
  await user.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("categories/save"))?.body).toMatchObject({
      id: "9001",
      title: "入门",
      order: 10,
    }),
  );

  await router.navigate("/articles/redirects");
  await user.type(await screen.findByLabelText("原地址"), "/a");
  await user.type(screen.getByLabelText("跳转到"), "/b");
  await user.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("redirects/save"))?.body).toEqual({ from: "/a", to: "/b" }),
  );
  await user.click(await screen.findByRole("button", { name: "移除 /old 的跳转" }));
  await user.click(await screen.findByRole("button", { name: "不再需要" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "移除" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("redirects/remove"))?.body).toMatchObject({ from: "/old" }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(await findings()).toEqual([]);
});
