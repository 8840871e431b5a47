import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WorksMyWork } from "@/calls/works";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const card = {
  id: "w1",
  worksId: "w1",
  name: "旋转木马",
  type: 0,
  preview: "",
  pcPreview: "",
  code: "/production/detail?worksId=w1",
  prevPath: "/production/detail?worksId=w1",
  userId: "u1",
  nickname: "木匠",
  avatar: "",
  description: "",
  browsenumber: 120,
  browseNumber: 120,
  likenumber: 3,
  likeNumber: 3,
  islike: false,
  isLike: false,
  isCollect: false,
  isCollection: false,
  releaseTime: 0,
  issuedTime: 0,
  collectNumber: 1,
  commentNumber: 2,
  categoryId: "",
  categoryName: "",
  industryId: "",
  industryName: "",
  labels: [],
  turntableUrl: "",
  certified: "",
};

const work = (change: Partial<WorksMyWork> = {}): WorksMyWork => ({
  card,
  state: "draft",
  editState: "",
  reason: "",
  revision: 4,
  visibility: "public",
  commentsAllowed: true,
  downloadAllowed: false,
  scene: "",
  fileId: "f1",
  modelState: "ready",
  modelReason: "",
  model: {
    bundle: 1,
    modelUrl: "https://x.test/m.glb",
    proxyUrl: "",
    posterUrl: "",
    bytes: 1,
    triangles: 1,
    animation: false,
    format: "glb",
    downloadUrl: "",
  },
  missing: ["分类"],
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  ...change,
});

const mine = (results: WorksMyWork[], counts: Record<string, number> = { draft: results.length }) => ({
  datas: { totalCount: results.length, results, counts },
});

const answers = {
  ...frameAnswers(),
  labelCate: { datas: [{ id: "c1", name: "玩具", count: 5 }] },
  caseIndustry: { datas: [{ id: "i1", name: "教育", count: 2 }] },
  mine: mine([work()]),
  mineDetail: { datas: work() },
  save: ({ form }: HeardCall) => ({ datas: work({ revision: 5, card: { ...card, ...form } }) }),
  submit: { datas: work({ state: "review" }) },
};

const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1)?.form;

test("my works: how many are in which state, and a new one of a source file", async () => {
  const heard = answer({
    ...answers,
    list: {
      datas: {
        totalCount: 1,
        results: [
          {
            fileId: "f7",
            modelName: "风车",
            fileName: "风车.glb",
            format: "glb",
            fileSize: 10,
            triangles: 12,
            thumbUrl: null,
          },
        ],
      },
    },
    create: { datas: work() },
  });
  const { user, at } = openSite("/workbench/myWorks", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "我的作品" })).toBeInTheDocument();
  const states = within(screen.getByRole("list", { name: "按状态" }));
  expect(await states.findByRole("link", { name: /草稿\s*1/ })).toHaveAttribute(
    "href",
    "/workbench/myWorks/list?state=draft",
  );
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "发布作品" }));
  const dialog = within(await screen.findByRole("dialog", { name: "选择模型" }));
  await user.click(await dialog.findByRole("button", { name: /风车/ }));
  await waitFor(() => expect(last(heard, "create")).toMatchObject({ userId: "u1", fileId: "f7", type: "0" }));
  await waitFor(() => expect(at()).toBe("/workbench/myWorks?id=w1"));
});

test("a draft is told about and handed in: only what was changed is sent, and what is missing is asked for", async () => {
  const heard = answer(answers);
  const { user } = openSite("/workbench/myWorks?id=w1", { signedIn: true });
  const form = within(await screen.findByRole("form", { name: "作品资料" }));
  expect(screen.getByText("提交审核前还需要：分类")).toBeInTheDocument();
  expect(form.getByRole("button", { name: "保存" })).toBeDisabled();
  await user.click(form.getByRole("button", { name: "提交审核" }));
  expect(await form.findByText("请选择分类")).toBeInTheDocument();
  expect(heard.filter(({ name }) => name === "save")).toEqual([]);

  await user.click(form.getByRole("combobox", { name: /分类/ }));
  await user.click(await screen.findByRole("option", { name: "玩具" }));
  await user.type(form.getByRole("textbox", { name: "标签" }), "木作，{Enter}");
  await user.click(form.getByRole("radio", { name: /不列出/ }));
  await user.click(form.getByRole("switch", { name: "允许下载模型" }));
  await user.click(form.getByRole("combobox", { name: "背景" }));
  await user.click(await screen.findByRole("option", { name: "浅灰" }));
  await user.click(form.getByRole("button", { name: "提交审核" }));
  await waitFor(() => expect(last(heard, "submit")).toMatchObject({ worksId: "w1" }));
  const sent = last(heard, "save");
  expect(sent).toMatchObject({
    worksId: "w1",
    revision: "4",
    categoryId: "c1",
    labels: "木作",
    visibility: "unlisted",
    downloadAllowed: "true",
  });
  expect(JSON.parse(sent?.scene ?? "{}")).toEqual({
    format: "xlscene",
    version: 1,
    background: { color: "#eef1f4" },
  });
  expect(sent).not.toHaveProperty("name");
  expect(await findings()).toEqual([]);
});

test("under review nothing is changed, and it can be taken back", async () => {
  const heard = answer({
    ...answers,
    mineDetail: { datas: work({ state: "review" }) },
    withdraw: { datas: work() },
  });
  const { user } = openSite("/workbench/myWorks?id=w1", { signedIn: true });
  expect(await screen.findByRole("textbox", { name: /作品名称/ })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "保存" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "撤回审核" }));
  await waitFor(() => expect(last(heard, "withdraw")).toMatchObject({ worksId: "w1" }));
});

test("the list says why one was refused; a published one is withdrawn after a question", async () => {
  const heard = answer({
    ...answers,
    mine: mine([
      work({ state: "refused", reason: "封面不清楚" }),
      work({ state: "published", editState: "editing", card: { ...card, id: "w2", name: "风车" } }),
    ]),
    withdraw: { datas: work() },
  });
  const { user } = openSite("/workbench/myWorks/list", { signedIn: true });
  const table = within(await screen.findByRole("table", { name: "作品列表" }));
  expect(table.getByText("封面不清楚")).toBeInTheDocument();
  expect(table.getByText("有未提交的修改")).toBeInTheDocument();
  expect(table.getAllByText("120")).toHaveLength(2);
  expect(await findings()).toEqual([]);
  await user.click(table.getByRole("button", { name: "撤下 风车" }));
  const sure = within(await screen.findByRole("dialog", { name: "撤下“风车”" }));
  expect(heard.filter(({ name }) => name === "withdraw")).toEqual([]);
  await user.click(sure.getByRole("button", { name: "撤下" }));
  await waitFor(() => expect(last(heard, "withdraw")).toMatchObject({ worksId: "w2" }));
});

const onWork = (content: string, change: object = {}) => ({
  comment: {
    commentId: content,
    rootId: "",
    parentId: "",
    parentNickname: "",
    userId: "u5",
    nickname: "看客",
    avatar: "",
    content,
    state: "shown",
    createdAt: 1_790_000_000_000,
    editedAt: 0,
    replyCount: 0,
    replies: [],
    mine: false,
    editable: false,
    byAuthor: false,
  },
  worksId: "w1",
  worksName: "旋转木马",
  worksPreview: "",
  prevPath: "/production/detail?worksId=w1",
  parentContent: "",
  ...change,
});

test("my comments list what I said, what others said of my works and what they answered (MS007); the dot follows the flag (MS004)", async () => {
  const heard = answer({
    ...answers,
    queryCommentIsRead: { datas: { isreadComment: false } },
    mine: { datas: { totalCount: 1, results: [onWork("我说过的")] } },
    received: ({ form }: HeardCall) => ({
      datas: {
        totalCount: 1,
        results: [
          form.kind === "comments"
            ? onWork("别人的评论")
            : onWork("别人的回复", { parentContent: "我说过的", prevPath: "", worksName: "" }),
        ],
      },
    }),
  });
  const { user } = openSite("/workbench/myComment", { signedIn: true });
  expect(await screen.findByText("我说过的")).toBeInTheDocument();
  expect(await screen.findByRole("img", { name: "未读" })).toBeInTheDocument();
  const rail = within(screen.getByRole("navigation", { name: "工作台" }));
  expect(rail.getByRole("link", { name: /我的评论.*有未读/ })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "旋转木马" })).toHaveAttribute(
    "href",
    "/production/detail?worksId=w1",
  );
  await user.click(screen.getByRole("link", { name: "收到的评论" }));
  expect(await screen.findByText("别人的评论")).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "收到的回复" }));
  expect(await screen.findByText("别人的回复")).toBeInTheDocument();
  expect(screen.getByText("回复：我说过的")).toBeInTheDocument();
  expect(screen.getByText("作品已不再展示")).toBeInTheDocument();
  expect(last(heard, "received")).toMatchObject({ kind: "replies" });
  expect(await findings()).toEqual([]);
});

test.each(["/workbench/myCollection?tab=works", "/workbench/account/myCollection?tab=works"])(
  "%s: what was collected, also what is gone, and forgotten",
  async (path) => {
    const heard = answer({
      ...answers,
      collection: {
        datas: {
          totalCount: 2,
          results: [
            { card: { ...card, isCollection: true }, addedAt: 1_790_000_000_000, available: true },
            { card: { id: "w9", name: "" }, addedAt: 1_790_000_000_000, available: false },
          ],
        },
      },
      collect: { datas: {} },
    });
    const { user } = openSite(path, { signedIn: true });
    expect(await screen.findByRole("link", { name: "旋转木马" })).toHaveAttribute(
      "href",
      "/production/detail?worksId=w1",
    );
    expect(screen.getByText("已撤下或不再公开")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "取消收藏 看不到的作品" }));
    await waitFor(() => expect(last(heard, "collect")).toMatchObject({ worksId: "w9", operate: "CANCEL" }));
  },
);
