import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open, type Replies } from "../../test/console";

const card = (more: object = {}) => ({
  id: "w1",
  worksId: "w1",
  name: "旋转木马",
  type: 2,
  preview: "",
  pcPreview: "",
  userId: "u9",
  nickname: "木匠",
  description: "说明 <b>",
  browseNumber: 5,
  likeNumber: 3,
  collectNumber: 2,
  commentNumber: 1,
  categoryName: "玩具",
  industryName: "教育",
  labels: ["木作"],
  ...more,
});

const model = (bundle: number) => ({
  bundle,
  modelUrl: "https://x.test/m.glb",
  proxyUrl: "",
  posterUrl: "https://x.test/p.webp",
  bytes: 2048,
  triangles: 12_000,
  animation: false,
  format: "glb",
  downloadUrl: "",
});

const site = (more: object = {}, permissions = ALL): Replies => {
  const item = {
    card: card(),
    state: "published",
    editState: "review",
    revision: 7,
    visibility: "public",
    submittedAt: Date.now() - 60_000,
    reports: 1,
    recommended: false,
    updatedAt: 1,
    ...more,
  };
  const report = { reportId: "r1", userId: "u3", reason: "copyright", content: "抄的", at: 1 };
  return {
    "session/me": me(permissions),
    "/api-console/works/works/search": { datas: { works: [item], next: "", waiting: 1 } },
    "/api-console/works/works/show": {
      datas: {
        item,
        work: { card: card(), model: model(2), commentsAllowed: true, downloadAllowed: false },
        shownModel: model(1),
        records: [{ action: "submitted", reason: "", bundle: 2, at: 1 }],
        reports: [report],
      },
    },
    "/api-console/works/works/decide": {},
    "/api-console/works/works/hide": {},
    "/api-console/works/works/restore": {},
    "/api-console/works/works/recommend": {},
    "/api-console/works/reports/dismiss": {},
    "/api-console/works/comments/search": {
      datas: {
        comments: [
          {
            comment: { commentId: "k1", userId: "u3", content: "骂人的话", state: "shown", createdAt: 1 },
            worksId: "w1",
            worksName: "旋转木马",
            reason: "",
            reports: 1,
            reported: [{ ...report, reason: "vulgar" }],
          },
        ],
        next: "",
      },
    },
    "/api-console/works/comments/hide": {},
    "/api-console/works/categories/list": {
      datas: {
        categories: [
          { id: "b", kind: "category", name: "家具", position: 2, offered: false },
          { id: "a", kind: "category", name: "玩具", position: 1, offered: true },
          { id: "i", kind: "industry", name: "教育", position: 1, offered: true },
        ],
      },
    },
    "/api-console/works/categories/save": { datas: {} },
  };
};

const last = (heard: { call: string; body: Record<string, unknown> }[], call: string) =>
  heard.filter((one) => one.call.endsWith(call)).at(-1)?.body;

it("what waits leads to the work, with both models, the texts and the reports", async () => {
  const heard = answers(site());
  const { user } = open("/works");
  await user.click(await screen.findByRole("link", { name: "旋转木马" }));
  expect(last(heard, "works/search")?.state).toBe("review");
  expect(await screen.findByRole("heading", { level: 1, name: /旋转木马/ })).toBeInTheDocument();
  expect(screen.getByRole("img", { name: "提交的模型的画面" })).toBeInTheDocument();
  expect(screen.getByRole("img", { name: "正在展示的模型的画面" })).toBeInTheDocument();
  expect(screen.getByText("说明 <b>")).toBeInTheDocument();
  expect(screen.getByText(/侵犯版权/)).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

it.each([
  [
    "拒绝",
    "拒绝展示",
    "works/decide",
    "名称或介绍与模型内容不符，请修改",
    { decision: "refuse", revision: 7 },
  ],
  ["通过", "通过审核", "works/decide", "内容完整，资料属实", { decision: "approve", revision: 7 }],
  ["隐藏", "隐藏作品", "works/hide", "收到侵权投诉，核实期间隐藏", { worksId: "w1" }],
  ["举报不成立", "举报不成立", "reports/dismiss", "核实后没有违规", { thingId: "w1" }],
])("%s is confirmed with a reason", async (button, title, call, reason, sent) => {
  const heard = answers(site());
  const { user } = open("/works/works/w1");
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(await screen.findByRole("dialog", { name: title }));
  await user.click(dialog.getByRole("button", { name: reason }));
  await user.click(
    dialog.getAllByRole("button", { name: /^(拒绝|通过|隐藏|举报不成立)$/ }).at(-1) as HTMLElement,
  );
  await waitFor(() => expect(last(heard, call)).toMatchObject({ ...sent, reason }));
});

it("a hidden one is restored with a reason", async () => {
  const heard = answers(site({ editState: "", state: "hidden" }));
  const { user } = open("/works/works/w1");
  await user.click(await screen.findByRole("button", { name: "恢复展示" }));
  const dialog = within(await screen.findByRole("dialog", { name: "恢复展示" }));
  await user.click(dialog.getByRole("button", { name: "投诉不成立" }));
  await user.click(dialog.getAllByRole("button", { name: "恢复展示" }).at(-1) as HTMLElement);
  await waitFor(() => expect(last(heard, "works/restore")).toMatchObject({ worksId: "w1" }));
});

it("one that everybody sees is recommended at once", async () => {
  const heard = answers(site({ editState: "" }));
  const { user } = open("/works/works/w1");
  await user.click(await screen.findByRole("button", { name: "推荐到首页" }));
  await waitFor(() => expect(last(heard, "works/recommend")).toEqual({ worksId: "w1", recommended: true }));
});

it("who may only read decides nothing", async () => {
  answers(site({}, ["work.read"]));
  open("/works/works/w1");
  expect(await screen.findByRole("heading", { level: 1, name: /旋转木马/ })).toBeInTheDocument();
  for (const name of ["通过", "拒绝", "隐藏", "推荐到首页"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

it("a reported comment says of what, and is hidden with a reason", async () => {
  const heard = answers(site());
  const { user } = open("/works/comments");
  expect(await screen.findByText("骂人的话")).toBeInTheDocument();
  expect(screen.getByText("举报：低俗内容，抄的")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "隐藏" }));
  const dialog = within(await screen.findByRole("dialog", { name: "隐藏这条评论" }));
  await user.click(dialog.getByRole("button", { name: "含有辱骂或人身攻击" }));
  await user.click(dialog.getByRole("button", { name: "隐藏" }));
  await waitFor(() => expect(last(heard, "comments/hide")).toMatchObject({ commentId: "k1" }));
});

it("categories and industries stand in their order, and one is added after the last", async () => {
  const heard = answers(site());
  const { user } = open("/works/categories");
  await screen.findByText("玩具");
  const names = screen
    .getAllByRole("button", { name: /^修改：/ })
    .map((one) => one.getAttribute("aria-label"));
  expect(names).toEqual(["修改：玩具", "修改：家具", "修改：教育"]);
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "添加分类" }));
  const dialog = within(await screen.findByRole("dialog", { name: "添加分类" }));
  await user.type(dialog.getByRole("textbox", { name: "名称" }), "建筑");
  await user.click(dialog.getByRole("button", { name: "调整作品分类" }));
  await user.click(dialog.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(last(heard, "categories/save")).toMatchObject({
      id: "",
      kind: "category",
      name: "建筑",
      position: 3,
    }),
  );
});
