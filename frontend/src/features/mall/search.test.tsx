import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { TransactionMallCategory, TransactionModelListReply } from "@/calls/transaction";
import { findings } from "@/test/axe";
import { gear } from "@/test/mall";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { standIn } from "@/test/standIn";
import { branchesOf } from "./categories";

const category = (id: string, name: string, count: number, children: TransactionMallCategory[] = []) => ({
  id,
  name,
  count,
  children,
  labels: id === "c1" ? [{ key: "l7", name: "复古", count: 2 }] : [],
});
const tree = [
  category("c1", "工业", 5, [category("c11", "传动", 3), category("c12", "管道", 2)]),
  category("c2", "家居", 4, [category("c21", "灯具", 4)]),
  category("c3", "交通", 0),
];
const bucket = (key: string, name: string, count: number) => ({ key, name, count });
const counted = [
  bucket("c1", "工业", 5),
  bucket("c2", "家居", 4),
  bucket("c21", "灯具", 4),
  bucket("c11", "传动", 3),
  bucket("c12", "管道", 2),
];

function open(address: string, change: Partial<TransactionModelListReply> = {}) {
  const heard = answer({
    ...frameAnswers(),
    labelCate: { datas: tree },
    list: {
      datas: {
        totalCount: 60,
        results: [gear],
        facets: [{ name: "category", buckets: counted }],
        corrected: "",
        ...change,
      },
    },
    suggest: {
      datas: [
        { text: "传动", kind: "category" },
        { text: "复古", kind: "label" },
        { text: "齿轮匠", kind: "maker" },
      ],
    },
    newQuantities: { datas: { today: 0, week: 0, categories: [] } },
  });
  return { ...openSite(address), heard };
}

const names = () =>
  within(screen.getByRole("group", { name: "分类" }))
    .getAllByRole("button", { pressed: undefined })
    .filter((button) => button.hasAttribute("aria-pressed"))
    .map(({ textContent }) => textContent);

test("categories stand below the ones above them, open where one is chosen, or by hand", async () => {
  const { user, at } = open("/transaction/search");
  await screen.findByRole("group", { name: "分类" });
  expect(names()).toEqual(["工业5", "家居4"]);
  await user.click(screen.getByRole("button", { name: "家居的下级分类" }));
  expect(names()).toEqual(["工业5", "家居4", "灯具4"]);
  await user.click(screen.getByRole("button", { name: /^工业5/ }));
  await waitFor(() => expect(at()).toBe("/transaction/search?category=c1"));
  expect(names()).toEqual(["工业5", "传动3", "管道2", "家居4", "灯具4"]);
  await user.click(screen.getByRole("button", { name: /^传动3/ }));
  await waitFor(() => expect(at()).toBe("/transaction/search?category=c11"));
  expect(names()).toHaveLength(5);
  expect(await findings()).toEqual([]);
});

test("a category whose upper one is not counted counts for it; what is in no tree stands alone", () => {
  expect(branchesOf(tree, [bucket("c11", "传动", 3), bucket("c12", "管道", 2), bucket("x", "x", 1)])).toEqual(
    [
      { bucket: bucket("c1", "工业", 5), children: [bucket("c11", "传动", 3), bucket("c12", "管道", 2)] },
      { bucket: bucket("x", "x", 1), children: [] },
    ],
  );
});

test("a choice far down has the head of the results in sight", async () => {
  const { user } = open("/transaction/search");
  const shown = vi.fn();
  standIn(Element.prototype, "scrollIntoView", shown);
  const choice = await screen.findByRole("button", { name: /^工业5/ });
  standIn(Element.prototype, "getBoundingClientRect", () => new DOMRect(0, 300, 100, 40));
  await user.click(choice);
  expect(shown).not.toHaveBeenCalled();
  standIn(Element.prototype, "getBoundingClientRect", () => new DOMRect(0, -900, 100, 40));
  await user.click(choice);
  expect(shown).toHaveBeenCalledTimes(1);
});

test("unknown values in the address are named and can be taken back", async () => {
  const unknown = (name: string) => ({ name, buckets: [bucket(`${name}-1`, `${name}-1`, 0)] });
  const { at, user } = open("/transaction/search?category=nope&format=format-1&label=label-1&seller=u8", {
    facets: [unknown("format"), unknown("label"), { name: "seller", buckets: [bucket("u8", "", 0)] }],
  });
  for (const name of ["分类 未知分类", "格式 未知格式", "标签 未知标签", "作者 未知作者"])
    expect(await screen.findByRole("button", { name: `取消筛选：${name}` })).toBeInTheDocument();
  expect(document.querySelector("main")?.textContent).not.toMatch(/nope|-1|u8/);
  await user.click(screen.getByRole("button", { name: "取消筛选：分类 未知分类" }));
  await waitFor(() => expect(at()).not.toMatch(/category/));
});

test("suggested categories and labels become filters, makers a search; filters and order stay", async () => {
  const { user, at } = open("/transaction/search?format=glb&sort=sales&page=2");
  const box = await screen.findByRole("combobox", { name: "搜索模型" });
  await user.type(box, "c");
  await user.click(await screen.findByRole("option", { name: /^传动/ }));
  await waitFor(() => expect(at()).toBe("/transaction/search?format=glb&sort=sales&category=c11"));
  expect(box).toHaveValue("");
  await user.type(box, "f");
  await user.click(await screen.findByRole("option", { name: /^复古/ }));
  await waitFor(() => expect(at()).toMatch(/category=c11&label=l7$/));
  await user.type(box, "q");
  await user.click(await screen.findByRole("option", { name: /^齿轮匠/ }));
  await waitFor(() => expect(at()).toMatch(/^\/transaction\/search\/%E9%BD%BF.*\?format=glb/));
  await screen.findByRole("heading", { level: 1, name: "齿轮匠" });
  await user.clear(box);
  await user.type(box, "灯{Enter}");
  await waitFor(() => expect(decodeURI(at())).toMatch(/search\/灯\?format=glb&sort=sales/));
});

test("a corrected word is not asked for again: its results are there", async () => {
  const long = "齿轮".repeat(40);
  open(`/transaction/search/${encodeURIComponent(long)}?format=glb`, { corrected: "齿轮" });
  expect(await screen.findByText(/^没有找到“齿轮.*”，以下是“.*”的结果。$/)).toBeInTheDocument();
  expect(screen.queryByText(/您是不是要找/)).toBeNull();
  expect(screen.getByRole("link", { name: "齿轮" })).toHaveAttribute(
    "href",
    `/transaction/search/${encodeURIComponent("齿轮")}?format=glb`,
  );
  // clamped by style, whole in the title
  expect(screen.getByRole("heading", { level: 1 })).toHaveAttribute("title", long);
});

test("the mall's first page offers no category without models", async () => {
  open("/transaction");
  const row = within(await screen.findByRole("navigation", { name: "模型分类" }));
  expect(await row.findByRole("link", { name: /^工业/ })).toBeInTheDocument();
  expect(row.queryByRole("link", { name: /^交通/ })).toBeNull();
});
