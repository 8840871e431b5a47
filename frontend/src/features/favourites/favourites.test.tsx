import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type {
  TransactionFavouriteFoldersReply,
  TransactionFavouriteListReply,
  TransactionListing,
} from "@/calls/transaction";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const gear: TransactionListing = {
  listingId: "m1",
  name: "行星齿轮组",
  price: 2900,
  license: "commercial",
  origin: "own",
  categoryId: "c1",
  labelIds: [],
  formats: ["glb"],
  triangles: 120_000,
  animation: false,
  score: 92,
  seller: "u9",
  sellerName: "齿轮匠",
  uploaderType: 2,
  thumbUrl: "",
  turntableUrl: "",
  sold: 3,
  ratingSum: 0,
  ratingCount: 0,
  favourites: 4,
  listedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  version: 1,
  intro: "",
};

const folders: TransactionFavouriteFoldersReply = {
  results: [
    { folderId: "default", name: "默认收藏夹", count: 2, previews: [], createdAt: 1 },
    { folderId: "f1", name: "齿轮", count: 1, previews: ["https://x.test/a.webp"], createdAt: 2 },
    { folderId: "f2", name: "空的", count: 0, previews: [], createdAt: 3 },
  ],
  models: 3,
};

const models: TransactionFavouriteListReply = {
  totalCount: 2,
  folderName: "默认收藏夹",
  results: [
    { listing: gear, folderId: "default", addedAt: 1_790_000_000_000, available: true, reason: "" },
    {
      listing: { ...gear, listingId: "m2", name: "旧阀门" },
      folderId: "default",
      addedAt: 1_780_000_000_000,
      available: false,
      reason: "模型已被作者下架",
    },
  ],
};

const answers = {
  ...frameAnswers(),
  folders: { datas: folders },
  list: { datas: models },
  marks: { datas: { modelIds: ["m1"] } },
  saveFolder: { datas: folders.results[1] },
  deleteFolder: { datas: { models: 2 } },
  move: { datas: { models: 3 } },
  remove: { datas: { models: 2 } },
  add: { datas: { models: 3 } },
};

const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1)?.form;

test("the dropdown's way leads to the folders, which are made, named and deleted there (AV015)", async () => {
  const heard = answer(answers);
  const { user, at } = openSite("/workbench/modelFavorites", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "我的收藏" })).toBeInTheDocument();
  expect(await screen.findByText("3 个收藏夹，收藏了 3 个模型")).toBeInTheDocument();
  const list = within(screen.getByRole("list", { name: "收藏夹" }));
  expect(list.getByRole("link", { name: /齿轮/ })).toHaveAttribute(
    "href",
    "/workbench/modelFavorites/favoriteDetails?id=f1",
  );
  expect(list.queryByRole("button", { name: "删除 默认收藏夹" })).toBeNull();
  expect(await findings()).toEqual([]);

  await user.click(screen.getByRole("link", { name: "新建收藏夹" }));
  await waitFor(() => expect(at()).toBe("/workbench/modelFavorites/newFavoriteDialog"));
  const dialog = within(await screen.findByRole("dialog", { name: "新建收藏夹" }));
  const name = dialog.getByRole("textbox", { name: "名称" });
  await user.type(name, "长".repeat(21));
  expect(dialog.getByText("名称最多 20 个字符")).toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "新建" })).toBeDisabled();
  await user.clear(name);
  await user.type(name, " 机械 ");
  await user.click(dialog.getByRole("button", { name: "新建" }));
  await waitFor(() => expect(at()).toBe("/workbench/modelFavorites"));
  expect(last(heard, "saveFolder")).toMatchObject({ name: "机械", folderId: "" });

  await user.click(await screen.findByRole("button", { name: "删除 齿轮" }));
  const asked = within(await screen.findByRole("dialog", { name: "删除收藏夹“齿轮”" }));
  await user.click(asked.getByRole("radio", { name: "一并取消收藏" }));
  await user.click(asked.getByRole("button", { name: "删除" }));
  await waitFor(() => expect(last(heard, "deleteFolder")).toMatchObject({ folderId: "f1", moveToId: "" }));
});

test("models of a deleted folder move to the default one unless told otherwise", async () => {
  const heard = answer(answers);
  const { user, at } = openSite("/workbench/modelFavorites/favoriteDetails?id=f1", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "齿轮" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "删除" }));
  const asked = within(await screen.findByRole("dialog", { name: "删除收藏夹“齿轮”" }));
  await user.click(asked.getByRole("button", { name: "删除" }));
  await waitFor(() => expect(at()).toBe("/workbench/modelFavorites"));
  expect(last(heard, "deleteFolder")).toMatchObject({ folderId: "f1", moveToId: "default" });
});

test("what left the mall stays and says so; chosen ones are moved and taken out", async () => {
  const heard = answer(answers);
  const { user } = openSite("/workbench/modelFavorites/favoriteDetails", { signedIn: true });
  const list = within(await screen.findByRole("list", { name: "收藏的模型" }));
  expect(list.getByRole("link", { name: "行星齿轮组" })).toHaveAttribute("href", "/transaction/detail?id=m1");
  expect(list.getByText("模型已被作者下架")).toBeInTheDocument();
  expect(list.queryByRole("link", { name: "旧阀门" })).toBeNull();
  expect(screen.getByRole("button", { name: "移动到…" })).toBeDisabled();
  await user.click(list.getByRole("checkbox", { name: "选择 行星齿轮组" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "移动到…" })).toBeEnabled());
  await user.click(screen.getByRole("button", { name: "移动到…" }));
  const asked = within(await screen.findByRole("dialog", { name: "移动 1 个模型" }));
  await user.click(asked.getByRole("button", { name: "移动" }));
  await waitFor(() =>
    expect(last(heard, "move")).toMatchObject({ modelIds: "m1", folderId: "default", moveToId: "f1" }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("checkbox", { name: "全选本页" }));
  await user.click(screen.getByRole("button", { name: "取消收藏" }));
  const sure = within(await screen.findByRole("dialog", { name: "取消收藏 2 个模型" }));
  await user.click(sure.getByRole("button", { name: "取消收藏" }));
  await waitFor(() =>
    expect(last(heard, "remove")).toMatchObject({ modelIds: "m1,m2", folderId: "default" }),
  );
});

test("all favourites are looked for by name", async () => {
  const heard = answer(answers);
  const { user } = openSite("/workbench/modelFavorites/favoriteModelList", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "收藏的模型" })).toBeInTheDocument();
  await user.type(screen.getByRole("textbox", { name: "按名称查找" }), "齿轮{Enter}");
  await waitFor(() => expect(last(heard, "list")).toMatchObject({ keyword: "齿轮", folderId: "" }));
});

for (const path of ["/workbench/myCollection", "/workbench/account/myCollection"])
  test(`${path}: models, and works beside them`, async () => {
    answer({ ...answers, collection: { datas: { totalCount: 0, results: [] } } });
    const { user } = openSite(path, { signedIn: true });
    expect(await screen.findByRole("link", { name: "行星齿轮组" })).toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "作品" }));
    expect(await screen.findByText("还没有收藏作品")).toBeInTheDocument();
  });

const detail = {
  listing: gear,
  description: "",
  labels: [],
  categoryNames: [],
  pictures: [],
  proxyUrl: "",
  facts: "{}",
  bytes: 1,
  versions: [],
  prices: [],
  author: {
    authorId: "u9",
    uploaderType: 2,
    nickname: "齿轮匠",
    avatar: "",
    models: 1,
    sold: 0,
    ratingSum: 0,
    ratingCount: 0,
    since: 1,
  },
};

const page = {
  ...answers,
  detail: { datas: detail },
  similar: { datas: [] },
  checkTheDayOfFreeModelCount: { datas: { count: 5 } },
  list: { datas: { totalCount: 0, results: [], counts: {} } },
};

test("the heart counts, and turns a favourite into none", async () => {
  let marks = ["m1"];
  const heard = answer({
    ...page,
    marks: () => ({ datas: { modelIds: marks } }),
    remove: () => {
      marks = [];
      return { datas: { models: 0 } };
    },
    add: () => {
      marks = ["m1"];
      return { datas: { models: 1 } };
    },
  });
  const { user } = openSite("/transaction/detail?id=m1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "已收藏 4" }));
  await user.click(await screen.findByRole("button", { name: "收藏 3" }));
  expect(await screen.findByRole("button", { name: "已收藏 4" })).toHaveAttribute("aria-pressed", "true");
  expect(last(heard, "remove")).toMatchObject({ modelIds: "m1", folderId: "" });
  expect(last(heard, "add")).toMatchObject({ modelId: "m1", folderId: "" });
});

test("a visitor who presses the heart is asked to sign in", async () => {
  const heard = answer(page);
  const { user, store } = openSite("/transaction/detail?id=m1");
  await user.click(await screen.findByRole("button", { name: "收藏 4" }));
  await waitFor(() => expect(store.getState().authDialog).toMatchObject({ open: true, step: "login" }));
  expect(heard.some(({ name }) => name === "add" || name === "marks")).toBe(false);
});
