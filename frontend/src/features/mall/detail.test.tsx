import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { findings } from "@/test/axe";
import { detail } from "@/test/mall";
import { type Answer, answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { standIn } from "@/test/standIn";
import { readFacts } from "./facts";
import { PriceHistory, pricePath } from "./PriceHistory";

const at = (name: string) => `https://x.test/${name}.webp`;
const pictures = [
  ...[1, 2, 3].map((n) => ({ kind: "beauty", url: at(`beauty-${n}`), title: "" })),
  { kind: "turntable", url: at("turntable"), title: "" },
  ...["front", "right", "top"].map((side) => ({ kind: "wire", url: at(`wire-${side}`), title: side })),
  { kind: "uv", url: at("uv"), title: "" },
  { kind: "texture", url: at("texture-1"), title: "baseColor" },
  { kind: "texture", url: at("texture-2"), title: "metallicRoughness normal" },
];

async function open(change: object = {}, answers: Record<string, Answer> = {}) {
  answer({
    ...frameAnswers(),
    detail: { datas: { ...detail, ...change } },
    similar: { datas: [] },
    ...answers,
  });
  const page = openSite("/transaction/detail?id=m1");
  await screen.findByRole("heading", { level: 1, name: "行星齿轮组" });
  return page;
}

/** Pictures that the page has asked for, by their names; also those of backgrounds. */
const loaded = (): string[] => {
  const found = [...document.querySelectorAll("main img")].map((img) => img.getAttribute("src") ?? "");
  return [...new Set(found.map((src) => src.replace(/^.*\/|[.]webp$/g, "")))];
};

describe("the pictures of a model", () => {
  test("an untouched page loads the one it shows; wireframes and maps wait for their tab, and the moving one for its button", async () => {
    const { user } = await open({ pictures, proxyUrl: "https://x.test/p.glb" });
    expect(loaded()).toEqual(["beauty-1"]);
    const views = () => within(screen.getByRole("group", { name: "图片" })).getAllByRole("button");
    expect(views().map((view) => view.getAttribute("aria-label"))).toEqual([
      "3D 三维查看",
      "展示图 1",
      "展示图 2",
      "展示图 3",
      "转台",
    ]);
    expect(await findings()).toEqual([]);

    await user.pointer({ target: document.body });
    await waitFor(() => expect(loaded()).toEqual(["beauty-1", "beauty-2", "beauty-3"]));

    await user.click(screen.getByRole("tab", { name: "线框" }));
    expect(loaded()).toEqual(["wire-front"]);
    expect(screen.getByRole("img", { name: "行星齿轮组，线框 正面" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "线框 顶面" }));
    expect(loaded()).toEqual(["wire-top"]);

    await user.click(screen.getByRole("tab", { name: "UV 布局" }));
    expect(loaded()).toEqual(["uv"]);
    expect(screen.queryByRole("group", { name: "图片" })).toBeNull();

    await user.click(screen.getByRole("tab", { name: "贴图" }));
    expect(views().map((view) => view.getAttribute("aria-label"))).toEqual([
      "贴图 基础色",
      "贴图 金属度/粗糙度、法线",
    ]);
    expect(loaded()).toEqual(["texture-1", "texture-2"]);

    await user.click(screen.getByRole("tab", { name: "展示图" }));
    await user.click(screen.getByRole("button", { name: "转台" }));
    expect(screen.getByRole("img", { name: "行星齿轮组，转台" })).toHaveAttribute("src", at("turntable"));
  });

  test("the small ones follow the large one by themselves", async () => {
    await open({ pictures, proxyUrl: "https://x.test/p.glb" });
    fireEvent.load(screen.getByRole("img", { name: "行星齿轮组" }));
    expect(loaded()).toEqual(["beauty-1", "beauty-2", "beauty-3"]);
  });

  test("maps are shown as they are, at most at twice their size, renders on a ground of their own", async () => {
    const { user } = await open({ pictures });
    expect(screen.getByRole("img", { name: "行星齿轮组，展示图 1" }).previousElementSibling).not.toBeNull();
    for (const [tab, name] of [
      ["UV 布局", "UV 布局"],
      ["贴图", "贴图 基础色"],
    ]) {
      await user.click(screen.getByRole("tab", { name: tab }));
      const map = screen.getByRole("img", { name: `行星齿轮组，${name}` });
      expect(map.previousElementSibling).toBeNull();
      standIn(map as HTMLImageElement, "naturalWidth", 64);
      standIn(map as HTMLImageElement, "naturalHeight", 32);
      fireEvent.load(map);
      expect(map).toHaveStyle({ maxWidth: "128px", maxHeight: "64px" });
    }
  });

  test.each([
    [{ triangles: 9, marked: true }, "可转动的是带水印的简化模型，购买后得到原模型。"],
    [{ triangles: 9, marked: false }, "可转动的是简化模型，购买后得到原模型。"],
    // of an engine that marked all of them and did not tell it
    [{ triangles: 9 }, "可转动的是带水印的简化模型，购买后得到原模型。"],
  ])("the 3D proxy %j is told of as it is", async (proxy, text) => {
    await open({ pictures, proxyUrl: "https://x.test/p.glb", facts: JSON.stringify({ proxy }) });
    expect(screen.getByText(text)).toBeInTheDocument();
  });
});

test("price and main button stay at hand while the page's own are out of sight", async () => {
  const heard: { of: Element; tell: (seen: boolean) => void }[] = [];
  class Watcher {
    constructor(readonly told: (entries: { isIntersecting: boolean }[]) => void) {}
    observe(of: Element) {
      heard.push({ of, tell: (isIntersecting) => act(() => this.told([{ isIntersecting }])) });
    }
    disconnect() {}
  }
  standIn(window, "IntersectionObserver", Watcher as unknown as typeof IntersectionObserver);
  const { store, user } = await open();
  const own = await screen.findByRole("button", { name: "立即购买" });
  const watched = heard.find(({ of }) => of.contains(own));
  expect(screen.queryByRole("region", { name: "价格与购买" })).toBeNull();
  watched?.tell(false);
  const bar = within(screen.getByRole("region", { name: "价格与购买" }));
  expect(bar.getByText("29")).toBeInTheDocument();
  expect(bar.queryByRole("button", { name: "加入购物车" })).toBeNull();
  expect(document.documentElement.style.getPropertyValue("--bar")).toBe("64px");
  expect(await findings()).toEqual([]);
  await user.click(bar.getByRole("button", { name: "立即购买" }));
  expect(store.getState().authDialog.open).toBe(true);
  watched?.tell(true);
  expect(document.documentElement.style.getPropertyValue("--bar")).toBe("");
  expect(screen.queryByRole("region", { name: "价格与购买" })).toBeNull();
});

describe("the price of the last 90 days", () => {
  const noon = new Date(2026, 5, 15, 12).getTime();
  const hours = (n: number) => noon - n * 3_600_000;

  test("of a young listing is told in words", () => {
    const view = render(
      <PriceHistory
        now={noon}
        prices={[
          { price: 1990, at: hours(3) },
          { price: 2500, at: hours(1) },
        ]}
      />,
    );
    expect(view.container).toHaveTextContent("今天从 ¥19.90 改为 ¥25.00");
    expect(screen.queryByRole("img")).toBeNull();
  });

  test("is a line over its days, with the prices at both ends", () => {
    const prices = [
      { price: 3900, at: hours(240) },
      { price: 2900, at: hours(120) },
    ];
    const view = render(<PriceHistory now={noon} prices={prices} />);
    expect(view.container).toHaveTextContent("2026-06-05 ¥39.00今天 ¥29.00");
    expect(pricePath(prices, noon)).toBe("M0 6H160V66H320");
    const old = [
      { price: 3900, at: hours(24 * 100) },
      { price: 2900, at: hours(120) },
    ];
    expect(render(<PriceHistory now={noon} prices={old} />).container).toHaveTextContent("90 天前 ¥39.00");
  });
});

describe("what the check-up found", () => {
  const facts = (problems?: unknown) => ({ facts: JSON.stringify({ vertices: 8, problems }) });
  const region = () => within(screen.getByRole("region", { name: "体检数据" }));

  test("is listed without places and advice, with the number of places where the sentence has none", async () => {
    await open(
      facts([
        { code: "missing-texture", severity: "warning", message: "有贴图缺失", count: 3, of: 9 },
        { code: "empty-nodes", severity: "info", message: "12 个空节点，不含任何内容", count: 12 },
      ]),
    );
    const lines = region()
      .getAllByRole("listitem")
      .map((item) => item.textContent);
    expect(lines).toEqual(["提醒有贴图缺失（3 处）", "提示12 个空节点，不含任何内容"]);
    expect(region().queryByText(/位置|建议|未发现/)).toBeNull();
  });

  test("is told to be nothing only where the engine has said so", async () => {
    await open(facts([]));
    expect(region().getByText("体检未发现问题")).toBeInTheDocument();
  });

  test.each([
    ["an engine that did not tell", undefined],
    ["a list that cannot be read", [{ code: "x", severity: "error" }]],
  ])("is not spoken of by %s", async (_, problems) => {
    await open(facts(problems));
    expect(region().getByText("顶点")).toBeInTheDocument();
    expect(region().queryByText(/未发现/)).toBeNull();
    expect(readFacts(facts(problems).facts).problems).toBeUndefined();
  });
});

test("the way here leads to both categories", async () => {
  const own = { id: "c1", name: "传动", count: 1, children: [], labels: [] };
  await open({}, { labelCate: { datas: [{ ...own, id: "c0", name: "工业", children: [own] }] } });
  const crumbs = within(screen.getByRole("navigation", { name: "所在分类" }));
  expect(await crumbs.findByRole("link", { name: "工业" })).toHaveAttribute(
    "href",
    "/transaction/search?category=c0",
  );
  expect(crumbs.getByRole("link", { name: "传动" })).toHaveAttribute(
    "href",
    "/transaction/search?category=c1",
  );
});

describe("a model that is not shown", () => {
  test("because it has left the mall says so, without a retry", async () => {
    answer({ ...frameAnswers(), detail: { code: 60104, message: "模型不存在或已被删除" } });
    openSite("/transaction/detail?id=m1");
    expect(await screen.findByRole("heading", { level: 1, name: "模型已下架" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "重试" })).toBeNull();
    // said once, by the page
    expect(screen.queryByText("模型不存在或已被删除")).toBeNull();
  });

  test.each<[string, Answer]>([
    ["the network", "network error"],
    ["the server", { code: 60500, message: "系统繁忙" }],
  ])("because of %s is read again by a button", async (_, failure) => {
    let down = true;
    answer({
      ...frameAnswers(),
      detail: () => (down ? failure : { datas: detail }),
      similar: { datas: [] },
    });
    const { user } = openSite("/transaction/detail?id=m1");
    expect(await screen.findByRole("heading", { level: 1, name: "模型加载失败" })).toBeInTheDocument();
    down = false;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByRole("heading", { level: 1, name: "行星齿轮组" })).toBeInTheDocument();
  });
});
