import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { WorksCommentPage, WorksWorkCard, WorksWorkDetailReply } from "@/calls/works";
import { findings } from "@/test/axe";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const card = (change: Partial<WorksWorkCard> = {}): WorksWorkCard => {
  const id = change.id ?? "w1";
  return {
    id,
    worksId: id,
    name: "旋转木马",
    type: 0,
    preview: "https://x.test/p.webp",
    pcPreview: "https://x.test/pc.webp",
    code: `/production/detail?worksId=${id}`,
    prevPath: `/production/detail?worksId=${id}`,
    userId: "u9",
    nickname: "木匠",
    avatar: "",
    description: "第一行\n第二行",
    browsenumber: 12_000,
    browseNumber: 12_000,
    likenumber: 3,
    likeNumber: 3,
    islike: false,
    isLike: false,
    isCollect: false,
    isCollection: false,
    releaseTime: 1_790_000_000_000,
    issuedTime: 1_790_000_000_000,
    collectNumber: 1,
    commentNumber: 2,
    categoryId: "c1",
    categoryName: "玩具",
    industryId: "",
    industryName: "",
    labels: ["木作"],
    turntableUrl: "",
    certified: "enterprise",
    ...change,
  };
};

const detail = (change: Partial<WorksWorkDetailReply> = {}): WorksWorkDetailReply => ({
  card: card(),
  model: {
    bundle: 2,
    modelUrl: "https://x.test/m.glb",
    proxyUrl: "",
    posterUrl: "https://x.test/poster.webp",
    bytes: 2_500_000,
    triangles: 100_000,
    animation: true,
    format: "glb",
    downloadUrl: "",
  },
  scene: "",
  visibility: "public",
  commentsAllowed: true,
  downloadAllowed: false,
  mine: false,
  state: "published",
  updatedTime: 1_790_000_000_000,
  ...change,
});

const said = (change: object = {}) => ({
  commentId: "k1",
  rootId: "",
  parentId: "",
  parentNickname: "",
  userId: "u5",
  nickname: "看客",
  certified: "personal",
  avatar: "",
  content: "这里的榫卯做得好 <b>看</b>",
  state: "shown",
  pin: { at: [0, 1, 0], normal: [0, 1, 0], position: [1, 2, 3], target: [0, 1, 0], bundle: 2 },
  createdAt: 1_790_000_000_000,
  editedAt: 0,
  replyCount: 1,
  replies: [
    {
      commentId: "k2",
      rootId: "k1",
      parentId: "k1",
      parentNickname: "看客",
      userId: "u9",
      nickname: "木匠",
      avatar: "",
      content: "多谢",
      state: "shown",
      createdAt: 1_790_000_100_000,
      editedAt: 0,
      replyCount: 0,
      replies: [],
      mine: false,
      editable: false,
      byAuthor: true,
    },
  ],
  mine: false,
  editable: false,
  byAuthor: false,
  ...change,
});

const comments = (results: object[] = [said()]): WorksCommentPage =>
  ({ totalCount: results.length, results, commentNumber: 2 }) as WorksCommentPage;

const marks = (change: object) => ({
  islike: false,
  isLike: false,
  isCollect: false,
  isCollection: false,
  likenumber: 3,
  likeNumber: 3,
  collectNumber: 1,
  ...change,
});

const lists = { works: { totalCount: 60, results: [card()] }, comments: comments() };

/** The lists of works, comments and followed users share their last path segment. */
const list =
  (told: { works?: unknown; comments?: unknown } = {}) =>
  ({ path }: HeardCall): Answer => {
    if (path.includes("attention"))
      return { datas: { totalCount: 0, results: [], followingCount: 0, following: false } };
    return { datas: { ...lists, ...told }[path.includes("comment") ? "comments" : "works"] };
  };

const answers = (): Parameters<typeof answer>[0] => ({
  ...frameAnswers(),
  labelCate: { datas: [{ id: "c1", name: "玩具", count: 5 }] },
  caseIndustry: { datas: [{ id: "i1", name: "教育", count: 2 }] },
  HomepageRecommend: { datas: [card({ id: "w7", name: "推荐的塔" })] },
  otherList: { datas: [card({ id: "w8", name: "另一件" })] },
  detailPageRecommend: { datas: [] },
  detail: { datas: detail() },
  list: list(),
  view: { datas: { browsenumber: 12_001, browseNumber: 12_001 } },
});

const named = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name);
const askedFor = (heard: HeardCall[]) =>
  heard.filter(({ path }) => path.endsWith("/works/unauth/list")).at(-1)?.form;

describe("the gallery", () => {
  test("shows what is recommended, all works by order, and the ways into categories and industries", async () => {
    const heard = answer(answers());
    const { user, at } = openSite("/production");
    const all = within(await screen.findByRole("list", { name: "全部作品" }));
    expect(await all.findByRole("link", { name: /旋转木马/ })).toHaveAttribute(
      "href",
      "/production/detail?worksId=w1",
    );
    expect(await screen.findByRole("link", { name: /推荐的塔/ })).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: /^玩具/ })).toHaveAttribute(
      "href",
      "/production/classify?category=c1",
    );
    expect(await screen.findByRole("link", { name: /^教育/ })).toHaveAttribute(
      "href",
      "/production/classify?kind=case&industry=i1",
    );
    expect(askedFor(heard)).toMatchObject({ order: "new" });
    await user.click(screen.getByRole("link", { name: "最受喜欢" }));
    await waitFor(() => expect(askedFor(heard)).toMatchObject({ order: "liked" }));
    expect(await findings()).toEqual([]);
    await user.type(screen.getByRole("textbox", { name: "搜索作品" }), "木马{Enter}");
    await waitFor(() => expect(at()).toBe(`/production/classify?keyword=${encodeURIComponent("木马")}`));
  });

  test.each([
    [0, "单体模型", "WK007"],
    [3, "单体模型", "WK007"],
    [1, "完整场景", "WK008"],
    [2, "客户案例", "WK009"],
  ])("a card of type %d is labelled %s (%s)", async (type, label) => {
    answer({ ...answers(), list: list({ works: { totalCount: 1, results: [card({ type })] } }) });
    openSite("/production/classify");
    const cards = within(await screen.findByRole("list", { name: "作品" }));
    expect(await cards.findByRole("link", { name: new RegExp(label) })).toBeInTheDocument();
  });

  test("choices stand in the address and are asked for; what finds nothing can be widened", async () => {
    const heard = answer({ ...answers(), list: list({ works: { totalCount: 0, results: [] } }) });
    const { user, at } = openSite("/production/classify?kind=case&page=3");
    await user.click(await screen.findByRole("link", { name: "教育" }));
    await waitFor(() => expect(at()).toBe("/production/classify?kind=case&industry=i1"));
    await waitFor(() =>
      expect(askedFor(heard)).toMatchObject({ types: "2", industryId: "i1", order: "new", pageNo: "1" }),
    );
    await user.click(await screen.findByRole("link", { name: "清除条件" }));
    await waitFor(() => expect(at()).toBe("/production/classify"));
  });

  test("an address of another site is not followed", async () => {
    const bad = card({ prevPath: "//evil.test/x" });
    answer({ ...answers(), list: list({ works: { totalCount: 1, results: [bad] } }) });
    openSite("/production/classify");
    expect(await screen.findByRole("link", { name: /旋转木马/ })).toHaveAttribute(
      "href",
      "/production/detail?worksId=w1",
    );
  });
});

describe("liking and collecting", () => {
  test("each toggles with its operate, and the count follows everywhere (WK010, WK011)", async () => {
    let liked = false;
    let collected = false;
    const heard = answer({
      ...answers(),
      like: ({ form }) => {
        liked = form.operate === "LIKE";
        return {
          datas: marks({
            islike: liked,
            isLike: liked,
            likenumber: liked ? 4 : 3,
            likeNumber: liked ? 4 : 3,
          }),
        };
      },
      collect: ({ form }) => {
        collected = form.operate === "COLLECT";
        return {
          datas: marks({ isCollect: collected, isCollection: collected, collectNumber: collected ? 2 : 1 }),
        };
      },
    });
    const { user } = openSite("/production/detail?worksId=w1", { signedIn: true });
    await user.click(await screen.findByRole("button", { name: "点赞 3" }));
    await user.click(await screen.findByRole("button", { name: "已赞 4" }));
    await screen.findByRole("button", { name: "点赞 3" });
    await user.click(screen.getByRole("button", { name: "收藏 1" }));
    await user.click(await screen.findByRole("button", { name: "已收藏 2" }));
    await screen.findByRole("button", { name: "收藏 1" });
    expect(named(heard, "like").map(({ form }) => [form.worksId, form.userId, form.operate])).toEqual([
      ["w1", "u1", "LIKE"],
      ["w1", "u1", "CANCEL"],
    ]);
    expect(named(heard, "collect").map(({ form }) => form.operate)).toEqual(["COLLECT", "CANCEL"]);
  });

  test.each([
    ["点赞 旋转木马", "WK012"],
    ["收藏 旋转木马", "WK013"],
  ])("a visitor who presses %s goes to sign-in and comes back (%s)", async (button) => {
    const heard = answer(answers());
    window.history.replaceState(null, "", "/production/classify?category=c1");
    const { user, at } = openSite("/production/classify?category=c1");
    await user.click(await screen.findByRole("button", { name: button }));
    await waitFor(() =>
      expect(at()).toBe(`/login?returnURL=${encodeURIComponent("/production/classify?category=c1")}`),
    );
    expect(named(heard, "like").concat(named(heard, "collect"))).toEqual([]);
    window.history.replaceState(null, "", "/");
  });
});

describe("one work", () => {
  test("a full scene is asked for by id, without a QR code (VW001)", async () => {
    const scene = card({ type: 1, prevPath: "/production/detail?id=w1" });
    const heard = answer({ ...answers(), detail: { datas: detail({ card: scene }) } });
    openSite("/production/detail?id=w1");
    expect(await screen.findByRole("heading", { level: 1, name: "旋转木马" })).toBeInTheDocument();
    expect(named(heard, "detail")[0]?.form).toEqual(expect.objectContaining({ id: "w1" }));
    expect(await screen.findByRole("application", { name: "三维预览：旋转木马" })).toBeInTheDocument();
    expect(screen.queryByText("用手机查看")).toBeNull();
    await waitFor(() =>
      expect(document.querySelector('link[rel="canonical"]')?.getAttribute("href")).toMatch(
        /\/production\/detail\?id=w1$/,
      ),
    );
  });

  test("another is asked for by worksId, and its QR code leads there (VW002)", async () => {
    const heard = answer(answers());
    openSite("/production/detail?worksId=w1");
    expect(await screen.findByRole("img", { name: "用手机查看二维码" })).toBeInTheDocument();
    expect(named(heard, "detail")[0]?.form).toEqual(expect.objectContaining({ worksId: "w1" }));
    await waitFor(() => expect(document.title).toBe("旋转木马 - 玄览云"));
    expect(screen.getByText("100,000 三角面", { exact: false })).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: /另一件/ })).toBeInTheDocument();
    expect(screen.getByText("企业认证")).toBeInTheDocument();
    expect(await findings()).toEqual([]);
  });

  test("what is gone says so and leads on", async () => {
    answer({ ...answers(), detail: { code: 60104, message: "没有这个作品" } });
    openSite("/production/detail?worksId=w0");
    expect(await screen.findByRole("heading", { level: 1, name: "没有看到这个作品" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "去看其他作品" })).toHaveAttribute("href", "/production");
  });

  test("while its model is made ready there is its picture", async () => {
    answer({ ...answers(), detail: { datas: { ...detail(), model: null } } });
    openSite("/production/detail?worksId=w1");
    expect(await screen.findByText("模型正在准备，稍后刷新即可查看")).toBeInTheDocument();
    expect(screen.getByRole("img", { name: "旋转木马" })).toHaveAttribute("src", "https://x.test/pc.webp");
  });

  test("its author sees its state and edits it", async () => {
    const own = detail({
      card: card({ userId: "u1" }),
      mine: true,
      state: "withdrawn",
      visibility: "private",
    });
    answer({ ...answers(), detail: { datas: own } });
    openSite("/production/detail?worksId=w1", { signedIn: true });
    expect(await screen.findByRole("link", { name: "编辑作品" })).toHaveAttribute(
      "href",
      "/workbench/myWorks?id=w1",
    );
    expect(screen.getByText("已撤下")).toBeInTheDocument();
    expect(screen.getByText("私密")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "举报作品" })).toBeNull();
  });
});

describe("comments", () => {
  test("are text, with answers and the way to their place in the model", async () => {
    answer(answers());
    openSite("/production/detail?worksId=w1");
    const all = within(await screen.findByRole("list", { name: "评论" }));
    expect(all.getByText("这里的榫卯做得好 <b>看</b>")).toBeInTheDocument();
    expect(all.getByRole("button", { name: "看标注 1" })).toBeInTheDocument();
    const below = within(all.getByRole("list", { name: "对看客的回复" }));
    expect(below.getByText("多谢")).toBeInTheDocument();
    expect(all.getAllByRole("img", { name: "个人认证" })).toHaveLength(1);
    expect(below.getByText("作者")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "登录后评论" })).toBeInTheDocument();
  });

  test("one that is gone leaves its place; a pin of another bundle is not shown in this one", async () => {
    const older = said({ commentId: "k3", content: "旧的", replyCount: 0, replies: [] });
    Object.assign(older, { pin: { ...older.pin, bundle: 1 } });
    answer({
      ...answers(),
      list: list({ comments: comments([said({ state: "deleted", content: "" }), older]) }),
    });
    openSite("/production/detail?worksId=w1");
    expect(await screen.findByText("这条评论已被作者删除。")).toBeInTheDocument();
    expect(screen.getByText("多谢")).toBeInTheDocument();
    expect(screen.getByText("标注在以前版本的模型上")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /看标注/ })).toBeNull();
  });

  test("are written, answered, changed, deleted and reported", async () => {
    const mine = said({
      commentId: "k5",
      userId: "u1",
      mine: true,
      editable: true,
      replyCount: 0,
      replies: [],
    });
    const heard = answer({
      ...answers(),
      list: list({ comments: comments([said(), mine]) }),
      add: { datas: said() },
      edit: { datas: mine },
      delete: {},
      report: {},
    });
    const { user } = openSite("/production/detail?worksId=w1", { signedIn: true });
    await user.type(await screen.findByRole("textbox", { name: "写评论" }), " 好看 ");
    await user.click(screen.getByRole("button", { name: "发表" }));
    await waitFor(() =>
      expect(named(heard, "add")[0]?.form).toMatchObject({ worksId: "w1", parentId: "", content: "好看" }),
    );
    const all = within(await screen.findByRole("list", { name: "评论" }));
    await user.click(all.getAllByRole("button", { name: "回复看客的评论" })[0] as HTMLElement);
    await user.type(await screen.findByRole("textbox", { name: "回复 看客" }), "同感");
    await user.click(screen.getByRole("button", { name: "回复" }));
    await waitFor(() =>
      expect(named(heard, "add")[1]?.form).toMatchObject({ parentId: "k1", content: "同感" }),
    );

    await user.click(all.getByRole("button", { name: "编辑看客的评论" }));
    await user.type(await screen.findByRole("textbox", { name: "编辑评论" }), "！");
    await user.click(screen.getByRole("button", { name: "保存" }));
    await waitFor(() => expect(named(heard, "edit")[0]?.form).toMatchObject({ commentId: "k5" }));

    await user.click(all.getByRole("button", { name: "删除看客的评论" }));
    const sure = within(await screen.findByRole("dialog", { name: "删除这条评论" }));
    await user.click(sure.getByRole("button", { name: "删除" }));
    await waitFor(() => expect(named(heard, "delete")[0]?.form).toMatchObject({ commentId: "k5" }));

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(all.getByRole("button", { name: "举报看客的评论" }));
    const report = within(await screen.findByRole("dialog", { name: "举报评论" }));
    await user.click(report.getByRole("radio", { name: "其他" }));
    expect(report.getByRole("button", { name: "提交举报" })).toBeDisabled();
    await user.click(report.getByRole("radio", { name: "广告骚扰" }));
    await user.click(report.getByRole("button", { name: "提交举报" }));
    await waitFor(() =>
      expect(named(heard, "report")[0]?.form).toMatchObject({ commentId: "k1", reason: "spam" }),
    );
  });

  test("where they are not open nobody is offered to write", async () => {
    answer({
      ...answers(),
      detail: { datas: detail({ commentsAllowed: false }) },
      list: list({ comments: comments([]) }),
    });
    openSite("/production/detail?worksId=w1", { signedIn: true });
    expect(await screen.findByText("作者没有开放评论。")).toBeInTheDocument();
    expect(screen.queryByRole("textbox", { name: "写评论" })).toBeNull();
  });
});

test("the ball has a list of the same works for the keyboard", async () => {
  answer(answers());
  openSite("/rorateBall");
  const below = within(await screen.findByRole("list", { name: "球上的作品" }));
  expect(below.getByRole("link", { name: /推荐的塔/ })).toBeInTheDocument();
  expect(screen.getByTestId("ball")).toHaveAttribute("aria-hidden", "true");
  expect(await findings()).toEqual([]);
});
