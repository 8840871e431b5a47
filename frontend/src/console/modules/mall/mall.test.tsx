import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { answers, open } from "../../test/console";
import { CATEGORIES, category, listing, site } from "../../test/mall";
import { factsOf, isTaken, moved, tree } from "./words";

it("what waits leads to the listing, with its twins and pictures", async () => {
  const heard = answers(site());
  const { user } = open("/mall");
  await screen.findByRole("link", { name: "行星齿轮组" });
  const asked = heard.filter(({ call }) => call.endsWith("listings/search"));
  expect(asked.at(-1)?.body.state).toBe("");
  await user.click(screen.getByRole("link", { name: "行星齿轮组" }));
  expect(await screen.findByRole("heading", { level: 1, name: /行星齿轮组/ })).toBeInTheDocument();
  expect(screen.getByText("文件完全相同")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "‹ 模型审核" })).toHaveAttribute("href", "/mall");
  expect(
    screen
      .getAllByRole("link", { name: /^查看原图：/ })
      .map((link) => [link.getAttribute("aria-label"), link.getAttribute("href")]),
  ).toEqual([
    ["查看原图：线框 正面", "https://x/w.png"],
    ["查看原图：贴图 基础色、法线", "https://x/t.png"],
  ]);
  expect(screen.getByText("换了齿形")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

it("a version of a listed model shows what it changes, and a copy by the same maker", async () => {
  const replies = site();
  const { datas } = replies["/api-console/transaction/listings/show"] as { datas: Record<string, unknown> };
  const now = { name: "行星齿轮组", categoryId: "c1001", labelIds: ["1"], intro: "八齿", origin: "ai" };
  datas.approved = { ...now, labelNames: ["机械"], description: "说明" };
  datas.labelNames = ["齿轮", "传动"];
  datas.hints = ["详细说明中疑似有微信号", "版本说明中疑似有电话号码"];
  datas.twins = [{ listing: listing({ listingId: "l2", name: "齿轮副本" }), likeness: 100, equal: true }];
  answers(replies);
  open("/mall/listings/l1");
  const changes = within(await screen.findByRole("region", { name: "本次修改" }));
  expect(changes.getAllByRole("term").map((term) => term.textContent)).toEqual([
    "模型文件",
    "一句话介绍",
    "标签",
  ]);
  expect(changes.getByText("八齿").tagName).toBe("DEL");
  expect(changes.getByText("十二齿").tagName).toBe("INS");
  expect(screen.getByText("详细说明中疑似有微信号；版本说明中疑似有电话号码，请核对")).toBeInTheDocument();
  expect(changes.getByText("机械").tagName).toBe("DEL");
  expect(changes.getByText(["齿轮", "传动"].sort().join("、")).tagName).toBe("INS");
  expect(screen.getByText("同一作者")).toBeInTheDocument();
});

it.each([
  ["拒绝", "拒绝上架", "refuse", "模型破损严重，无法使用"],
  ["要求修改", "要求修改", "changes", "分类不正确，请重新选择"],
  ["通过", "通过审核", "approve", "模型完整，资料属实"],
])("%s sends the version that was looked at and the reason", async (button, title, decision, reason) => {
  const heard = answers(site());
  const { user } = open("/mall/listings/l1");
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog", { name: title });
  await user.click(within(dialog).getByRole("button", { name: reason }));
  await user.click(within(dialog).getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = heard.find(({ call }) => call === "/api-console/transaction/listings/decide");
  expect(sent?.body).toEqual({ listingId: "l1", version: 2, decision, reason });
});

it("what somebody else has, or one may only read, is not offered", async () => {
  answers(site({ claimedBy: "chen" }));
  const { view } = open("/mall/listings/l1");
  expect(await screen.findByText("chen 正在审核，暂时不能处理")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "通过" })).toBeNull();
  view.unmount();
  answers(site({ state: "listed" }, ["listing.read"]));
  open("/mall/listings/l1");
  await screen.findByRole("heading", { level: 1, name: /行星齿轮组/ });
  expect(screen.queryByRole("button", { name: /通过|拒绝|下架|领取/ })).toBeNull();
});

it("categories are moved by saving those whose place changes", async () => {
  const heard = answers(site());
  const { user } = open("/mall/categories");
  await user.click(await screen.findByRole("button", { name: "下移：分类a1" }));
  const dialog = await screen.findByRole("dialog", { name: "移动“分类a1”" });
  await user.click(within(dialog).getByRole("button", { name: "调整商城分类" }));
  await user.click(within(dialog).getByRole("button", { name: "移动" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const saved = heard
    .filter(({ call }) => call === "/api-console/transaction/categories/save")
    .map(({ body }) => [body.id, body.position]);
  expect(saved).toEqual([
    ["a2", 1],
    ["a1", 2],
  ]);
  expect(await findings()).toEqual([]);
});

it("a category counts what is below it, and tells where a name comes twice beside itself", async () => {
  const twin = { ...category("a3", "a", 3), name: "分类A2 " };
  answers({
    ...site(),
    "/api-console/transaction/categories/list": {
      datas: {
        categories: [...CATEGORIES.map((one) => (one.parentId ? one : { ...one, listings: 0 })), twin],
      },
    },
  });
  const { user } = open("/mall/categories");
  const top = within(await screen.findByRole("region", { name: "分类a" }));
  const counts = top.getAllByText(/个上架$/).map(({ textContent }) => textContent);
  expect(counts).toEqual(["9 个上架", "3 个上架", "3 个上架", "3 个上架"]);
  const lines = top.getAllByRole("listitem").map(({ textContent }) => textContent?.includes("同级重名"));
  expect(lines).toEqual([false, true, true]);
  expect(within(screen.getByRole("region", { name: "分类b" })).getByText("0 个上架")).toBeInTheDocument();

  await user.click(top.getByRole("button", { name: "修改：分类a1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "修改“分类a1”" }));
  expect(dialog.queryByText(/^同级已有/)).toBeNull();
  const name = dialog.getByRole("textbox", { name: "名称" });
  await user.clear(name);
  await user.type(name, "分类a2");
  expect(dialog.getByText("同级已有这个名称，作者会分不清")).toBeInTheDocument();
  // among those of another level it is the only one
  await user.click(dialog.getByRole("combobox", { name: "上级分类" }));
  await user.click(await screen.findByRole("option", { name: "分类b" }));
  await waitFor(() => expect(dialog.queryByText(/^同级已有/)).toBeNull());
});

it.each([
  ["分类a", "new", true],
  [" 分类A", "new", true],
  // its own name
  ["分类a", "a", false],
  ["", "new", false],
])("the name %j of %s is taken: %s", (name, id, taken) =>
  expect(isTaken(name, id, CATEGORIES.slice(0, 2))).toBe(taken),
);

it("the tree has its order, and nothing moves beyond its ends", () => {
  expect(tree(CATEGORIES).map(({ top, below }) => [top.id, below.map(({ id }) => id)])).toEqual([
    ["a", ["a1", "a2"]],
    ["b", []],
  ]);
  expect(moved(CATEGORIES.slice(0, 2), 0, -1)).toEqual([]);
  expect(moved(CATEGORIES.slice(0, 2), 1, 1)).toEqual([]);
  expect(factsOf({ triangles: 3, boundingBox: { size: [1, 2, 3], unit: "m" } })).toEqual([
    ["三角面", "3"],
    ["尺寸", "1 × 2 × 3 m"],
  ]);
});

it("a review is hidden with a reason, and a hidden one says why", async () => {
  const review = {
    reviewId: "r1",
    stars: 1,
    content: "骗人",
    createdAt: 1,
    updatedAt: 1,
    answer: "",
    answeredAt: 0,
    nickname: "",
    avatar: "",
    way: "",
  };
  const item = {
    review,
    listingId: "l1",
    listingName: "行星齿轮组",
    author: "u2",
    seller: "u1",
    hidden: false,
    hiddenReason: "",
  };
  const other = { ...item, review: { ...review, reviewId: "r2" }, hidden: true, hiddenReason: "广告" };
  const heard = answers({
    ...site(),
    "/api-console/transaction/reviews/search": { datas: { reviews: [item, other], next: "" } },
    "/api-console/transaction/reviews/hide": {},
    "/api-console/transaction/reviews/restore": {},
  });
  const { user } = open("/mall/reviews");
  expect(await screen.findByText("隐藏原因：广告")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "隐藏" }));
  const dialog = await screen.findByRole("dialog", { name: "隐藏这条评价" });
  await user.click(within(dialog).getByRole("button", { name: "含有辱骂或人身攻击" }));
  await user.click(within(dialog).getByRole("button", { name: "隐藏" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = heard.find(({ call }) => call.endsWith("reviews/hide"));
  expect(sent?.body).toEqual({ reviewId: "r1", reason: "含有辱骂或人身攻击" });
  await user.click(screen.getByRole("button", { name: "恢复" }));
  expect(await screen.findByRole("dialog", { name: "恢复显示这条评价" })).toBeInTheDocument();
});
