import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TransactionListing, TransactionModeler } from "@/calls/transaction";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { allAnswered, frameAnswers, openSite, person } from "@/test/site";

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
  seller: "u1",
  sellerName: "",
  uploaderType: 2,
  thumbUrl: "",
  turntableUrl: "",
  sold: 3,
  ratingSum: 9,
  ratingCount: 2,
  favourites: 4,
  listedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  version: 1,
  intro: "",
};
const valve: TransactionListing = { ...gear, listingId: "m2", name: "球阀" };

const standing = (more: Partial<TransactionModeler> = {}): TransactionModeler => ({
  uploaderType: 2,
  reviewStatus: 1,
  frozen: false,
  frozenReason: "",
  reason: "",
  statement: "做了十年机械设计，想出售标准件。",
  appliedAt: 1_790_000_000_000,
  decidedAt: 1_790_000_000_000,
  shareBp: 7000,
  page: {
    slogan: "参数准确",
    introduction: "每个模型都按图纸建。",
    theme: "teal",
    bannerId: "m1",
    bannerUrl: "",
    carouselIds: ["m1"],
    carousel: [gear],
  },
  records: [{ action: "approved", reason: "", at: 1_790_000_000_000 }],
  ...more,
});

const listing = (one: TransactionListing) => ({
  listing: one,
  state: "listed",
  description: "",
  revision: 1,
  fileId: "f1",
  versionState: "ready",
  decision: "",
  reason: "",
  missing: [],
  versions: [],
  records: [],
  createdAt: 1,
});

const site = (profile: object, frozen = false, info: Partial<TransactionModeler> = {}) => ({
  ...frameAnswers(),
  queryInfo: { datas: { ...person, mobileNum: "", companyDetailInfo: null, ...profile } },
  isFreeze: { datas: frozen },
  info: { datas: standing(info) },
  list: ({ path }: HeardCall) => ({
    datas: path.includes("/publish/")
      ? { totalCount: 2, results: [listing(gear), listing(valve)] }
      : { totalCount: 2, results: [gear, valve], facets: [], corrected: "" },
  }),
  counts: { datas: { counts: { listed: 2 }, released: 2, toBeReleased: 0 } },
  orders: {
    datas: {
      totalCount: 1,
      results: [
        {
          id: "g1",
          modelId: "m1",
          modelName: "行星齿轮组",
          preview: "",
          buyer: "用户u1****ef",
          way: "paid",
          price: 2900,
          license: "commercial",
          state: "active",
          version: 1,
          gotAt: 1_790_000_000_000,
        },
      ],
      paidSum: 2900,
      counts: { paid: 1 },
      buyers: 1,
    },
  },
  records: {
    datas: {
      totalCount: 1,
      results: [
        {
          id: "r1",
          listingId: "m1",
          name: "行星齿轮组",
          thumbUrl: "",
          action: "changes",
          version: 1,
          reason: "贴图缺失，请补齐",
          at: 1_790_000_000_000,
          state: "rejected",
        },
      ],
    },
  },
  integralInfo: {
    datas: {
      integral: 150,
      totalIntegral: 150,
      totalCount: 1,
      records: [
        { id: "p1", integral: 50, kind: "register", description: "注册账号", createTime: 1_790_000_000_000 },
      ],
    },
  },
  author: {
    datas: {
      author: {
        authorId: "u1",
        uploaderType: 2,
        nickname: "齿轮匠",
        avatar: "",
        models: 2,
        sold: 3,
        ratingSum: 9,
        ratingCount: 2,
        since: 1_780_000_000_000,
      },
      categories: [],
      page: standing().page,
    },
  },
  unread: { datas: { total: 0, groups: {} } },
  savePage: { datas: standing() },
  apply: { datas: standing({ reviewStatus: 0 }) },
});

const APPROVED = { uploaderType: 2, reviewStatus: 1 };
const rail = () => screen.findByRole("navigation", { name: "工作台" });

test.each([
  ["an approved maker", APPROVED, false, true],
  ["a frozen maker", APPROVED, true, true],
  ["somebody frozen who is of no type (AM083)", { uploaderType: 0, reviewStatus: null }, true, true],
  ["a plain user", { uploaderType: 0, reviewStatus: null }, false, false],
  ["whose application waits", { uploaderType: 2, reviewStatus: 0 }, false, false],
  ["whose application was refused", { uploaderType: 3, reviewStatus: 2 }, false, false],
])("the menu of %s (MD001, MD002, MD003)", async (_, profile, frozen, shown) => {
  const heard = answer({
    ...site(profile, frozen),
    list: { datas: { totalCount: 0, results: [] } },
    listMessages: { datas: { totalCount: 0, results: [] } },
  });
  openSite("/workbench/myMessage", { signedIn: true });
  const nav = await rail();
  await waitFor(() => expect(heard.some(({ name }) => name === "isFreeze")).toBe(true));
  if (shown) expect(await within(nav).findByText("模型师中心")).toBeInTheDocument();
  else {
    await waitFor(() => expect(heard.some(({ name }) => name === "queryInfo")).toBe(true));
    await new Promise((done) => setTimeout(done, 300));
    expect(within(nav).queryByText("模型师中心")).toBeNull();
  }
  // MD006: with the login id.
  expect(heard.find(({ name }) => name === "isFreeze")?.form.id).toBe("u1");
});

test("the menu of a frozen maker leads nowhere and says why (MD004, MD005)", async () => {
  const heard = answer({ ...site(APPROVED, true), list: { datas: { totalCount: 0, results: [] } } });
  const { user, at, store } = openSite("/workbench/myMessage", { signedIn: true });
  // A click before the state is known is answered on the page itself.
  await waitFor(() => expect(heard.some(({ name }) => name === "isFreeze")).toBe(true));
  await allAnswered(store);
  await user.click(await within(await rail()).findByRole("link", { name: "用户订单" }));
  const box = await screen.findByRole("dialog", { name: "您的模型师账户已冻结,请联系客服" });
  expect(at()).toBe("/workbench/myMessage");
  await user.click(within(box).getByRole("button", { name: "取消" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("nor does the address of a page (MD004)", async () => {
  const heard = answer(site(APPROVED, true));
  openSite("/workbench/modelMaker/order", { signedIn: true });
  expect(await screen.findByRole("dialog", { name: "您的模型师账户已冻结,请联系客服" })).toBeInTheDocument();
  expect(heard.some(({ name }) => name === "orders")).toBe(false);
});

test.each([
  ["/workbench/modelMaker", "我的上架", "行星齿轮组"],
  ["/workbench/modelMaker/homePage", "模型师主页", "作者推荐"],
  ["/workbench/modelMaker/records", "审核记录", "贴图缺失，请补齐"],
  ["/workbench/modelMaker/order", "用户订单", "用户u1****ef"],
  ["/workbench/modelMaker/setting", "主页设置", "保存"],
  ["/workbench/modelMaker/swiper", "主页轮播", "保存"],
])("%s has its own content (MD007)", async (address, title, content) => {
  answer(site(APPROVED));
  openSite(address, { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
  expect((await screen.findAllByText(content)).length).toBeGreaterThan(0);
  expect(await findings()).toEqual([]);
});

test("points and their records stand in the centre (MD009)", async () => {
  answer(site(APPROVED));
  const { user, at } = openSite("/workbench/modelMaker", { signedIn: true });
  expect(await screen.findByText("150")).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "积分记录" }));
  await waitFor(() => expect(at()).toBe("/workbench/modelMaker/integralRecordDialog"));
  const dialog = await screen.findByRole("dialog", { name: "积分记录" });
  expect(await within(dialog).findByText("注册账号")).toBeInTheDocument();
});

test("somebody applies, and is told when it was not enough", async () => {
  const heard = answer(
    site({ uploaderType: 2, reviewStatus: 2 }, false, {
      reviewStatus: 2,
      reason: "说明不清楚",
      statement: "",
    }),
  );
  const { user } = openSite("/workbench/modelMaker", { signedIn: true });
  expect(await screen.findByText("上次申请未通过：说明不清楚。修改后可以重新申请。")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "提交申请" }));
  expect(await screen.findByText("申请说明至少 10 个字符")).toBeInTheDocument();
  expect(heard.some(({ name }) => name === "apply")).toBe(false);
  await user.click(screen.getByRole("radio", { name: /企业模型师/ }));
  await user.type(screen.getByLabelText("申请说明"), "我们为工厂制作管路与阀门模型");
  await user.click(screen.getByRole("button", { name: "提交申请" }));
  await waitFor(() =>
    expect(heard.find(({ name }) => name === "apply")?.form).toMatchObject({
      userId: "u1",
      uploaderType: "3",
      statement: "我们为工厂制作管路与阀门模型",
    }),
  );
});

test("the carousel is saved in its order, with the rest of the page as it is", async () => {
  const heard = answer(site(APPROVED));
  const { user } = openSite("/workbench/modelMaker/swiper", { signedIn: true });
  await user.click(await screen.findByLabelText("添加模型"));
  await user.click(await screen.findByRole("option", { name: "球阀" }));
  await user.click(screen.getByRole("button", { name: "上移 球阀" }));
  await user.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(heard.find(({ name }) => name === "savePage")?.form).toMatchObject({
      carouselIds: "m2,m1",
      slogan: "参数准确",
      bannerId: "m1",
      theme: "teal",
    }),
  );
});

test("the public page shows what was set", async () => {
  answer(site(APPROVED));
  openSite("/transaction/author?userId=u1&type=2");
  expect(await screen.findByText("参数准确")).toBeInTheDocument();
  expect(screen.getByText("每个模型都按图纸建。")).toBeInTheDocument();
  const carousel = screen.getByRole("list", { name: "作者推荐" });
  expect(within(carousel).getByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
});
