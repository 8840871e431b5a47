import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import type { TransactionListingItem } from "../../api/generated/transaction";
import { answers, open, type Replies } from "../../test/console";
import { listing, site } from "../../test/mall";
import { actionText, nextOf } from "./words";

const SHOW = "/api-console/transaction/listings/show";
const DECIDE = "/api-console/transaction/listings/decide";
const PAGE = "/mall/listings/l1";

const shownOf = (replies: Replies) => (replies[SHOW] as { datas: Record<string, unknown> }).datas;

it.each([
  ["taken back by the maker", { reviewedVersion: 0, state: "draft" }],
  ["claimed by a colleague", { claimedBy: "chen" }],
  ["submitted anew", { reviewedVersion: 3 }],
])("a decision on what was meanwhile %s says so and keeps the reason", async (_, later) => {
  const replies = site();
  const heard = answers({
    ...replies,
    [DECIDE]: () => {
      Object.assign(replies[SHOW] as object, site(later)[SHOW]);
      return { code: 60105, message: "作者已撤回，或同事已处理" };
    },
    [SHOW]: () => replies[SHOW] as { datas: unknown },
  });
  const { user } = open(PAGE);
  await user.click(await screen.findByRole("button", { name: "拒绝" }));
  const dialog = await screen.findByRole("dialog", { name: "拒绝上架" });
  await user.click(within(dialog).getByRole("button", { name: "模型破损严重，无法使用" }));
  const confirm = () => user.click(within(dialog).getByRole("button", { name: "拒绝" }));
  await confirm();
  expect(await within(dialog).findByText("作者已撤回，或同事已处理")).toBeInTheDocument();
  await waitFor(() => expect(heard.filter(({ call }) => call === SHOW).length).toBe(2));
  expect(within(dialog).getByRole("textbox")).toHaveValue("模型破损严重，无法使用");
  // never another version than the one that was looked at
  await confirm();
  const versions = () => heard.filter(({ call }) => call === DECIDE).map(({ body }) => body.version);
  await waitFor(() => expect(versions()).toEqual([2, 2]));
});

it("shows the version on sale beside the new one, with what differs", async () => {
  const replies = site({ listing: listing({ version: 1 }), state: "listed" });
  const datas = shownOf(replies);
  const [next] = datas.versions as Record<string, unknown>[];
  const pictures = [{ kind: "wire", url: "https://x/old.png", title: "front" }];
  datas.versions = [next, { ...next, number: 1, state: "ready", format: "obj", pictures }];
  datas.facts = { triangles: 12000, materials: 2 };
  datas.approvedFacts = { triangles: 8000, materials: 2 };
  answers(replies);
  open(PAGE);
  const both = within(await screen.findByRole("region", { name: "在售版本与新版本" }));
  const cells = both.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells).toEqual([
    ["检测结果", "在售（第 1 版）", "待审（第 2 版）"],
    ["格式", "OBJ", "GLB"],
    ["文件大小", "2 KB", "2 KB"],
    ["三角面", "8,000", "12,000"],
    ["材质", "2", "2"],
  ]);
  const marked = [...document.querySelectorAll("mark")].map(({ textContent }) => textContent);
  expect(marked).toEqual(["GLB", "12,000"]);
  const links = (title: string) =>
    within(both.getByRole("list", { name: title }))
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
  expect(links("在售（第 1 版）")).toEqual(["https://x/old.png"]);
  expect(links("待审（第 2 版）")).toEqual(["https://x/w.png", "https://x/t.png"]);
  expect(screen.queryByRole("region", { name: "展示图" })).toBeNull();
  expect(await findings()).toEqual([]);
});

it("names makers, with their ids, and shows the id where there is no name", async () => {
  const replies = site();
  shownOf(replies).twins = [
    { listing: listing({ listingId: "l2", name: "甲", seller: "u2", sellerName: "轴承铺" }), likeness: 90 },
    { listing: listing({ listingId: "l3", name: "乙", seller: "u3", sellerName: "" }), likeness: 80 },
  ];
  answers(replies);
  const { user } = open("/mall");
  expect(await screen.findByText("齿轮匠")).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "行星齿轮组" }));
  const maker = within(await screen.findByRole("region", { name: "作者" }));
  expect(maker.getByRole("link", { name: "齿轮匠" })).toHaveAttribute("href", "/users/u1");
  expect(maker.getByText("u1")).toBeInTheDocument();
  expect(screen.getByText("轴承铺").textContent).toBe("轴承铺u2");
  expect(screen.getByText("u3")).toBeInTheDocument();
});

it("a restoration without ground does not count against the maker", async () => {
  const RESTORE = "/api-console/transaction/listings/restore";
  const heard = answers({ ...site({ state: "takendown", reviewedVersion: 0 }), [RESTORE]: {} });
  const { user } = open(PAGE);
  await user.click(await screen.findByRole("button", { name: "恢复上架" }));
  const dialog = within(await screen.findByRole("dialog", { name: "恢复上架" }));
  await user.click(dialog.getByRole("checkbox", { name: "下架没有依据，不计入违规次数" }));
  await user.click(dialog.getByRole("button", { name: "投诉不成立" }));
  await user.click(dialog.getByRole("button", { name: "恢复上架" }));
  await waitFor(() =>
    expect(heard.find(({ call }) => call === RESTORE)?.body).toEqual({
      listingId: "l1",
      reason: "投诉不成立",
      unfounded: true,
    }),
  );
});

it("tells a withdrawal of what was listed from one of what never was", () => {
  const deed = (action: string, at: number) => ({ action, at });
  const all = [deed("cleared", 6), deed("withdrawn", 5), deed("approved", 4), deed("withdrawn", 2)];
  const told = [...all, deed("takenBack", 7), deed("discarded", 8)].map((one) => actionText(one, all));
  expect(told).toEqual([
    "平台恢复（下架无依据）",
    "作者下架",
    "审核通过",
    "作者撤回",
    "作者撤回修改",
    "作者放弃修改",
  ]);
});

it("gives a claim back, and says whose it is", async () => {
  const CLAIM = "/api-console/transaction/listings/claim";
  const heard = answers({ ...site({ claimedBy: "linyi" }), [CLAIM]: {} });
  const { user } = open(PAGE);
  expect(await screen.findByText("已领取，由您审核")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "放弃领取" }));
  expect(await screen.findByText("已放弃领取")).toBeInTheDocument();
  expect(heard.find(({ call }) => call === CLAIM)?.body).toEqual({ listingId: "l1", release: true });
});

it("leads from a decided listing to the next one that waits", async () => {
  const replies = site({ reviewedVersion: 0, state: "listed" });
  const { datas } = site({ listing: listing({ listingId: "l7" }) })[
    "/api-console/transaction/listings/search"
  ] as { datas: object };
  const { user, router } = open(PAGE);
  answers({ ...replies, "/api-console/transaction/listings/search": { datas } });
  await user.click(await screen.findByRole("button", { name: "下一个待审" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/mall/listings/l7"));
});

it("the next one is free and comes after this one, or else is the oldest", () => {
  const item = (listingId: string, submittedAt: number, claimedBy = ""): TransactionListingItem => ({
    listing: listing({ listingId }),
    state: "submitted",
    reviewedVersion: 1,
    submittedAt,
    claimedBy,
  });
  const all = [item("a", 1), item("b", 2), item("c", 3, "chen"), item("d", 4, "linyi")];
  const after = (current?: TransactionListingItem) => nextOf(all, current, "linyi")?.listing.listingId;
  expect([after(), after(all[0]), after(all[1]), after(all[3])]).toEqual(["a", "b", "d", "a"]);
  expect(nextOf([], undefined, "linyi")).toBeUndefined();
});

it("says of a removed listing that its pictures are deleted", async () => {
  const replies = site({ state: "removed", reviewedVersion: 0 });
  const datas = shownOf(replies);
  datas.versions = (datas.versions as object[]).map((version) => ({ ...version, pictures: [] }));
  answers(replies);
  open(PAGE);
  expect(await screen.findByText("展示图已删除")).toBeInTheDocument();
  expect(screen.queryByText(/制作完成后出现/)).toBeNull();
});
