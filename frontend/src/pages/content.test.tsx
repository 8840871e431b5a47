import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { findings } from "@/test/axe";
import { article, card, category, contentAnswers, listOf } from "@/test/content";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const line = (text: string) => [{ text }];
const body = [
  { type: "heading", level: 2, id: "one", text: line("第一节") },
  { type: "text", text: line("正文在这里。") },
  { type: "heading", level: 2, id: "two", text: line("第二节") },
  { type: "heading", level: 2, id: "three", text: line("第三节") },
];
const serve = (answers: Parameters<typeof contentAnswers>[0]) =>
  answer({ ...frameAnswers(), suggest: { datas: [] }, ...contentAnswers(answers) });
const h1 = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });
const gone = { code: 60104, message: "这篇文章已经撤下" };

describe("the help centre (HD007)", () => {
  const categories = {
    datas: { categories: [category(), category({ id: "9002", slug: "mall", title: "模型商城" })] },
  };
  const other = card({ id: "1002", title: "支持的格式", path: "/helpCenter?id=1002", categoryId: "9002" });

  test("groups lead to their articles, and a group has a page", async () => {
    serve({ categories, list: listOf(card(), other) });
    const { user, at } = openSite("/helpCenter");
    await h1("帮助中心");
    const group = within(await screen.findByRole("region", { name: "模型商城" }));
    expect(group.getByRole("link", { name: "支持的格式" })).toHaveAttribute("href", "/helpCenter?id=1002");
    await user.click(group.getByRole("link", { name: "模型商城" }));
    expect(at()).toBe("/helpCenter?cid=9002");
    await h1("模型商城");
    expect(screen.queryByText("上传第一个模型")).toBeNull();
    expect(await findings(screen.getByRole("main"))).toEqual([]);
  });

  test("an article by the slug that pages of the product name, with contents, neighbours and its own head", async () => {
    const heard = serve({
      categories,
      list: listOf(card(), other),
      detail: { datas: article(body, { next: other, related: [other] }) },
    });
    openSite("/helpCenter?id=upload");
    await h1("上传第一个模型");
    expect(heard.find((call) => call.path.includes("/content/unauth/detail"))?.form).toMatchObject({
      kind: "help",
      slug: "upload",
    });
    await waitFor(() => expect(document.title).toBe("上传第一个模型 - 玄览云"));
    const contents = within(screen.getAllByRole("navigation", { name: "本页内容" })[0] as HTMLElement);
    expect(contents.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "#one",
      "#two",
      "#three",
    ]);
    expect(within(screen.getByRole("navigation", { name: "前后篇" })).getByRole("link")).toHaveAttribute(
      "href",
      "/helpCenter?id=1002",
    );
    expect(document.querySelector('link[rel="canonical"]')).toHaveAttribute(
      "href",
      "https://www.xuanlan.test/helpCenter?id=1001",
    );
  });

  test("a word is searched, and an empty result names ways on", async () => {
    const heard = serve({
      categories,
      list: listOf(card()),
      search: ({ form }) => ({
        datas:
          form.keyword === "断网"
            ? {
                totalCount: 1,
                results: [{ card: card({ title: "断网续传" }), excerpt: "断网之后接着传" }],
                counts: [{ kind: "help", count: 1 }],
                partial: false,
              }
            : { totalCount: 0, results: [], counts: [], partial: false },
      }),
    });
    const { user, at } = openSite("/helpCenter");
    await user.type(await screen.findByRole("searchbox", { name: "搜索帮助" }), "断网{Enter}");
    expect(await screen.findByRole("link", { name: "断网续传" })).toHaveAttribute(
      "href",
      "/helpCenter?id=1001",
    );
    expect(at()).toBe(`/helpCenter?keyword=${encodeURIComponent("断网")}`);
    expect(heard.find((call) => call.name === "search")?.form).toMatchObject({
      kind: "help",
      keyword: "断网",
    });
    const field = screen.getByRole("searchbox", { name: "搜索帮助" });
    await user.clear(field);
    await user.type(field, "zzzz{Enter}");
    expect(await screen.findByText("没有找到与“zzzz”相关的帮助")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "搜索全站" })).toHaveAttribute(
      "href",
      "/common/search?keyword=zzzz",
    );
  });

  test("what cannot be read says so and is read again", async () => {
    let down = true;
    let read = 0;
    const list = () => {
      read += 1;
      return down ? "network error" : listOf(card());
    };
    serve({ categories, list });
    const { user } = openSite("/helpCenter");
    const again = await screen.findByRole("button", { name: "重试" });
    const before = read;
    await user.click(again);
    await waitFor(() => expect(read).toBeGreaterThan(before));
    down = false;
    await user.click(await screen.findByRole("button", { name: "重试" }));
    expect(await screen.findByRole("link", { name: "上传第一个模型" })).toBeInTheDocument();
  });
});

describe("news takes id, parentId and cid (HD016)", () => {
  const parent = category({ id: "31", kind: "news", slug: "release", title: "更新", articles: 0 });
  const child = category({ id: "32", kind: "news", slug: "viewer", title: "查看器", parentId: "31" });
  const news = card({
    id: "501",
    kind: "news",
    title: "查看器更新",
    path: "/news/detail?id=501",
    categoryId: "32",
  });
  const answers = {
    categories: { datas: { categories: [parent, child] } },
    list: listOf(news),
    detail: { datas: article(body, { card: news, categories: [parent, child] }) },
  };

  test("the named category is listed", async () => {
    const heard = serve(answers);
    openSite("/news?parentId=31&cid=32");
    await h1("新闻：查看器");
    expect(await screen.findByRole("link", { name: /查看器更新/ })).toHaveAttribute(
      "href",
      "/news/detail?id=501",
    );
    const asked = heard.filter((call) => call.path.endsWith("/content/unauth/list"));
    expect(asked.map(({ form }) => form.categoryId)).toEqual(["32"]);
    expect(screen.getByRole("link", { name: /^更新/ })).toHaveAttribute("aria-current", "page");
  });

  test("the parent alone stands for its whole list", async () => {
    serve(answers);
    openSite("/news?parentId=31");
    await h1("新闻：更新");
  });

  test.each(["/news?id=501", "/news/detail?id=501"])(
    "%s shows the article, whose way leads back",
    async (address) => {
      serve(answers);
      openSite(address);
      await h1("查看器更新");
      const way = within(screen.getByRole("navigation", { name: "所在位置" }));
      expect(way.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
        "/news",
        "/news?cid=31",
        "/news?parentId=31&cid=32",
      ]);
    },
  );

  test("an unknown category and an article that is gone say so, with ways on", async () => {
    serve({ ...answers, detail: gone });
    openSite("/news?cid=999");
    expect(await screen.findByText("没有这个分类")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "看全部新闻" })).toHaveAttribute("href", "/news");
  });

  test("an article that was taken back says so", async () => {
    serve({ ...answers, detail: gone });
    openSite("/news/detail?id=501");
    await h1("这篇文章已经撤下");
    // shown once, by the page
    expect(screen.getAllByText("这篇文章已经撤下")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "去新闻" })).toHaveAttribute("href", "/news");
  });

  test("one that has moved leads to where it is", async () => {
    serve({ ...answers, detail: { datas: { ...article([]), card: null, movedTo: "/helpCenter" } } });
    const { at } = openSite("/news/detail?id=501");
    await waitFor(() => expect(at()).toBe("/helpCenter"));
  });

  test("without a name the page says what is missing", async () => {
    serve(answers);
    openSite("/news/detail");
    await h1("没有指明要看哪一篇文章");
  });

  test("a preview link shows the draft and says that it is one", async () => {
    const heard = serve({ ...answers, preview: { datas: article(body, { card: news, preview: true }) } });
    openSite("/news/detail?id=501&preview=t-1");
    await h1("查看器更新");
    expect(screen.getByText(/这是一份草稿的预览/)).toBeInTheDocument();
    expect(heard.find((call) => call.name === "preview")?.form).toMatchObject({ ticket: "t-1" });
    expect(heard.some((call) => call.path.endsWith("/content/unauth/detail"))).toBe(false);
  });
});

test("cases are listed by industry and each opens (HD005)", async () => {
  const one = card({
    id: "701",
    kind: "case",
    title: "一座塔楼",
    path: "/case/details?id=701",
    categoryTitle: "智慧园区",
  });
  serve({ list: listOf(one), detail: { datas: article(body, { card: one, categories: [] }) } });
  const { user } = openSite("/case");
  await h1("案例中心");
  await user.click(await screen.findByRole("link", { name: /一座塔楼/ }));
  await h1("一座塔楼");
  expect(screen.getByText("正文在这里。")).toBeInTheDocument();
});

describe("an address with an article of its own shows it", () => {
  const park = card({ id: "801", kind: "solution", title: "智慧园区：楼与树", path: "/solution/smartPark" });
  const plant = card({
    id: "802",
    kind: "solution",
    title: "智慧工厂：产线",
    path: "/solution/smartFactory",
  });
  const tower = card({ id: "703", kind: "case", title: "一座塔楼", path: "/case/details?id=703" });

  test("a solution with its cases and the other industries", async () => {
    const heard = serve({
      list: listOf(park, plant),
      detail: { datas: article(body, { card: park, related: [tower, plant] }) },
    });
    openSite("/solution/smartPark");
    await h1("智慧园区：楼与树");
    expect(heard.find((call) => call.path.endsWith("/content/unauth/detail"))?.form).toMatchObject({
      id: "801",
    });
    expect(within(screen.getByRole("region", { name: "相关案例" })).getByRole("link")).toHaveAttribute(
      "href",
      "/case/details?id=703",
    );
    expect(within(screen.getByRole("region", { name: "其他行业" })).getByRole("link")).toHaveAttribute(
      "href",
      "/solution/smartFactory",
    );
  });

  test("one that is not published yet says so", async () => {
    serve({ list: listOf(plant) });
    openSite("/solution/smartPark");
    await h1("这一页的内容还没有发布");
    expect(screen.getByRole("link", { name: "去解决方案" })).toHaveAttribute("href", "/solution");
  });

  test("a campaign has something to try, and its own call to act in its head", async () => {
    const landing = card({
      id: "901",
      kind: "campaign",
      title: "三维格式转换",
      path: "/geshizhuanhuanQDCPA",
    });
    serve({
      list: listOf(landing),
      detail: {
        datas: article(
          [
            ...body,
            { type: "action", path: "/workbench/service?serviceName=convert", label: "选一个模型转换" },
          ],
          {
            card: landing,
          },
        ),
      },
    });
    const { user } = openSite("/geshizhuanhuanQDCPA");
    await h1("三维格式转换");
    expect(screen.getAllByRole("link", { name: "选一个模型转换" })[0]).toHaveAttribute(
      "href",
      "/workbench/service?serviceName=convert",
    );
    await user.click(screen.getByRole("combobox", { name: "手里的文件是" }));
    await user.click(await screen.findByRole("option", { name: /^RVT/ }));
    expect(await screen.findByText("暂不能转换")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "看怎样导出" })).toBeInTheDocument();
  });

  test("brochures stand beside each other", async () => {
    const amrt = card({ id: "951", kind: "brochure", title: "AMRT 格式", path: "/aLeaflet/amrtPage" });
    const pool = card({ id: "952", kind: "brochure", title: "模型资源库", path: "/aLeaflet/modelResPool" });
    serve({ list: listOf(amrt, pool), detail: { datas: article(body, { card: amrt }) } });
    openSite("/aLeaflet/amrtPage");
    await h1("AMRT 格式");
    const sheets = within(screen.getByRole("navigation", { name: "产品手册" }));
    expect(sheets.getByRole("link", { name: "AMRT 格式" })).toHaveAttribute("aria-current", "page");
  });
});

test("the search tells how much each kind has; models come from the mall", async () => {
  const heard = answer({
    ...frameAnswers(),
    suggest: { datas: [] },
    search: {
      datas: {
        totalCount: 3,
        results: [{ card: card({ title: "齿轮怎样上传" }), excerpt: "齿轮的单位" }],
        counts: [
          { kind: "help", count: 2 },
          { kind: "case", count: 1 },
        ],
        partial: false,
      },
    },
    list: { datas: { totalCount: 12, results: [], facets: [], corrected: "" } },
  });
  const { user, at } = openSite(`/common/search?keyword=${encodeURIComponent("齿轮")}`);
  await h1("搜索");
  const tabs = within(await screen.findByRole("navigation", { name: "搜索范围" }));
  await waitFor(() =>
    expect(tabs.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "全部文章3",
      "帮助2",
      "案例1",
      "模型12",
    ]),
  );
  expect(screen.getByRole("link", { name: "齿轮怎样上传" })).toBeInTheDocument();
  expect(
    within(screen.getByRole("list", { name: "搜索结果" })).getAllByText("齿轮", { selector: "mark" }),
  ).toHaveLength(2);
  await user.click(tabs.getByRole("link", { name: /^帮助/ }));
  expect(at()).toMatch(/tab=help/);
  await waitFor(() =>
    expect(heard.filter((call) => call.name === "search").at(-1)?.form).toMatchObject({ kind: "help" }),
  );
});
