import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { standInObjectUrls } from "@/test/standIn";
import { readTime } from "../../kit/MomentInput";
import { ALL, answers, me, open } from "../../test/console";
import { draftOf, emptyDraft, isAddress, problemsOf, requestOf, titleOf, toldOf } from "./form";

const NOW = 1_790_000_000_000;
const held = {
  content: { announcement: { title: "停机", content: "今晚" } },
  startsAt: 0,
  endsAt: 0,
  position: 0,
};
const revision = (version: number, title: string) => ({
  ...held,
  content: { announcement: { title, content: "今晚" } },
  version,
  savedBy: "linyi",
  savedAt: NOW,
  publishedAt: version === 1 ? NOW : 0,
  restoredFrom: 0,
});
const publication = {
  ...held,
  id: "p1",
  kind: "announcement",
  state: "shown",
  publishedVersion: 1,
  latestVersion: 2,
  createdAt: NOW,
  updatedAt: NOW,
};
const found = { publication, revisions: [revision(2, "停机通知"), revision(1, "停机")] };
const call = (name: string) => `/api-console/personal/publications/${name}`;

it("a draft says what is missing and wrong, and is sent as its kind", () => {
  expect(Object.keys(problemsOf(emptyDraft("announcement")))).toEqual(["title", "content"]);
  expect(problemsOf(emptyDraft("popup"))).toEqual({ img: "请填写图片地址" });
  const version = emptyDraft("clientVersion");
  const wrong = {
    ...version,
    fields: { ...version.fields, fileUrl: "ftp://x", sha256: "12" },
    startsAt: 2,
    endsAt: 1,
  };
  expect(Object.keys(problemsOf({ ...wrong, position: Number.NaN }))).toEqual([
    "version",
    "fileUrl",
    "sha256",
    "endsAt",
    "position",
  ]);
  const draft = draftOf(held);
  expect(requestOf({ ...draft, fields: { ...draft.fields, title: " 停机 " } }).content).toEqual({
    announcement: { title: "停机", content: "今晚", link: "" },
  });
  expect(titleOf(held)).toBe("停机");
  expect(toldOf({ ...held, endsAt: NOW })).toMatchObject({ 标题: "停机", 开始时间: "发布后立即" });
});

it.each([
  ["/pricePage", true],
  ["https://example.com/a", true],
  ["//example.com", false],
  ["/\\example.com", false],
  ["javascript:alert(1)", false],
  ["https://a b", false],
])("%s as an address: %s", (address, good) => expect(isAddress(address)).toBe(good));

it.each([
  ["9:05", 545],
  ["2359", 1439],
  ["24:00", undefined],
  ["9", undefined],
])("%s as a time of the day", (text, minutes) => expect(readTime(text)).toBe(minutes));

it("saves a draft on what it began with, publishes it, and compares and restores revisions", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("show")]: { datas: found },
    [call("save")]: { datas: { id: "p1", version: 3 } },
    [call("publish")]: {},
    [call("restore")]: { datas: { id: "p1", version: 4 } },
  });
  const { user } = open("/publications/p1");
  const title = await screen.findByLabelText("标题");
  expect(title).toHaveValue("停机通知");
  await user.clear(title);
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  expect(await screen.findByText("请填写标题")).toBeInTheDocument();
  await waitFor(() => expect(title).toHaveFocus());
  await user.type(title, "停机公告");
  expect(screen.getByRole("region", { name: "预览" })).toHaveTextContent("停机公告");
  expect(await findings()).toEqual([]);

  await user.click(screen.getByRole("button", { name: "发布" }));
  const dialog = await screen.findByRole("dialog", { name: "发布内容" });
  expect(within(dialog).getByRole("row", { name: "标题 停机 停机公告" })).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "确认发布" }));
  await waitFor(() => expect(heard.find((one) => one.call === call("publish"))).toBeDefined());
  expect(heard.find((one) => one.call === call("save"))?.body).toMatchObject({
    id: "p1",
    baseVersion: 2,
    content: { announcement: { title: "停机公告" } },
  });
  expect(heard.find((one) => one.call === call("publish"))?.body).toEqual({ id: "p1", version: 3 });
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(await screen.findByRole("button", { name: "恢复版本 2" }));
  const restore = await screen.findByRole("dialog", { name: "恢复版本 2" });
  await user.click(within(restore).getByRole("button", { name: "新版本有误" }));
  await user.click(within(restore).getByRole("button", { name: "恢复并发布" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("restore"))?.body).toEqual({
      id: "p1",
      version: 2,
      reason: "新版本有误",
    }),
  );
});

it("a popup after the registration has nothing to fill in, and hidden fields are not sent", async () => {
  const ad = { place: 1, img: "/a.png", jumpLink: "/pricePage", popRule: 1 };
  const draft = draftOf({ ...held, content: { popup: { ...ad, place: 0, jumpLink: "wrong" } } });
  expect(problemsOf(draft)).toEqual({});
  expect(requestOf(draft).content).toEqual({ popup: { place: 0, img: "", jumpLink: "", popRule: 0 } });
  expect(Object.keys(toldOf({ ...held, content: { popup: {} } }))).toEqual([
    "位置",
    "开始时间",
    "结束时间",
    "排序",
  ]);
  expect(requestOf(draftOf({ ...held, content: { popup: ad } })).content).toEqual({ popup: ad });

  answers({ "session/me": me(ALL) });
  const { user } = open("/publications/new?kind=popup");
  expect(await screen.findByLabelText("图片地址")).toBeInTheDocument();
  await user.click(screen.getByRole("combobox", { name: "位置" }));
  await user.click(screen.getByRole("option", { name: "注册之后" }));
  for (const label of ["图片地址", "跳转链接", "频率"])
    expect(screen.queryByLabelText(label)).not.toBeInTheDocument();
  const preview = screen.getByRole("region", { name: "预览" });
  expect(preview).toHaveTextContent("账号已经建好");
  expect(preview).not.toHaveTextContent("图片");
});

it("an end that is over is refused before the server is asked; a draft may have one", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("show")]: { datas: { publication: { ...publication, ...held }, revisions: [] } },
    [call("save")]: { datas: { id: "p1", version: 3 } },
  });
  const { user } = open("/publications/new");
  await user.type(await screen.findByLabelText("标题"), "停机");
  await user.type(screen.getByLabelText("内容"), "今晚");
  await user.type(screen.getByLabelText("结束时间日期"), "2020-01-01{Tab}");
  await user.click(screen.getByRole("button", { name: "发布" }));
  expect(await screen.findByText("结束时间已过")).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  await waitFor(() => expect(heard.find((one) => one.call === call("save"))).toBeDefined());
});

it("a new publication that the server refuses says why, is saved once, and leads to its draft", async () => {
  let refused = true;
  const heard = answers({
    "session/me": me(ALL),
    [call("show")]: { datas: { publication: { ...publication, state: "draft" }, revisions: [] } },
    [call("save")]: { datas: { id: "p1", version: 1 } },
    [call("publish")]: () => (refused ? { code: 60400, message: "结束时间已过" } : {}),
  });
  const { user, router } = open("/publications/new");
  await user.type(await screen.findByLabelText("标题"), "停机");
  await user.type(screen.getByLabelText("内容"), "今晚");
  await user.click(screen.getByRole("button", { name: "发布" }));
  const dialog = within(await screen.findByRole("dialog", { name: "发布内容" }));
  await user.click(dialog.getByRole("button", { name: "确认发布" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("结束时间已过");
  expect(router.state.location.pathname).toBe("/publications/new");

  refused = false;
  await user.click(dialog.getByRole("button", { name: "确认发布" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/publications/p1"));
  const calls = heard.map((one) => one.call);
  expect(calls.filter((one) => one === call("save"))).toHaveLength(1);
  expect(calls.filter((one) => one === call("publish"))).toHaveLength(2);
});

it("who gives up a refused publication goes on with its draft", async () => {
  answers({
    "session/me": me(ALL),
    [call("show")]: { datas: { publication: { ...publication, state: "draft" }, revisions: [] } },
    [call("save")]: { datas: { id: "p1", version: 1 } },
    [call("publish")]: { code: 60400, message: "结束时间已过" },
  });
  const { user, router } = open("/publications/new");
  await user.type(await screen.findByLabelText("标题"), "停机");
  await user.type(screen.getByLabelText("内容"), "今晚");
  await user.click(screen.getByRole("button", { name: "发布" }));
  const dialog = within(await screen.findByRole("dialog", { name: "发布内容" }));
  await user.click(dialog.getByRole("button", { name: "确认发布" }));
  await dialog.findByRole("alert");
  await user.click(dialog.getByRole("button", { name: "取消" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/publications/p1"));
});

it("an ad's picture is sent, and shown at the sizes of a desk and of a hand; what is refused says why", async () => {
  const img = `http://127.0.0.1:9000/private/p/${"a".repeat(64)}.png`;
  standInObjectUrls("blob:poster");
  const heard = answers({
    "session/me": me(ALL),
    [call("picture")]: { datas: { img, width: 600, height: 800 } },
    [call("picture/show")]: {
      datas: { data: btoa("png"), contentType: "image/png", name: "a.png", size: 3, nextOffset: 0 },
    },
  });
  const { user } = open("/publications/new?kind=popup");
  const chosen = await screen.findByLabelText("选择图片文件");
  await user.upload(chosen, new File([new Uint8Array(3 * 1024 * 1024 + 1)], "a.png", { type: "image/png" }));
  expect(await screen.findByText("单个文件不能超过3M")).toBeInTheDocument();
  await user.upload(chosen, new File(["png"], "a.png", { type: "image/png" }));
  await waitFor(() => expect(screen.getByLabelText("图片地址")).toHaveValue(img));
  expect(heard.find((one) => one.call === call("picture"))?.body).toEqual({ data: btoa("png") });
  for (const screenName of ["电脑", "手机"])
    expect(await screen.findByRole("img", { name: `广告图片（${screenName}）` })).toBeInTheDocument();
  const popup = emptyDraft("popup");
  const wrong = { ...popup, fields: { ...popup.fields, img: "https://elsewhere.example/a.png" } };
  expect(problemsOf(wrong)).toEqual({ img: "请上传图片，或填写站内路径" });
});

it("who may only read sees what is published and can change nothing", async () => {
  answers({ "session/me": me(["content.read"]), [call("show")]: { datas: found } });
  open("/publications/p1");
  expect(await screen.findByRole("region", { name: "版本" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /发布|保存|撤下|恢复/ })).not.toBeInTheDocument();
});

it("a client version is shown as its users see it: what is stated, and no more", async () => {
  answers({ "session/me": me(ALL) });
  const { user } = open("/publications/new?kind=clientVersion");
  const preview = within(await screen.findByRole("region", { name: "预览" }));
  expect(preview.queryByText("版本")).not.toBeInTheDocument();
  expect(preview.queryByText("SHA-256")).not.toBeInTheDocument();
  expect(preview.getByText("未填写安装包地址")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "发布" }));
  expect(await screen.findByText("请填写版本号")).toBeInTheDocument();
  await user.type(screen.getByLabelText("版本号"), "1.2");
  await user.type(screen.getByLabelText("更新说明"), "更快");
  await user.type(screen.getByLabelText("SHA-256"), "a1");
  await user.type(screen.getByLabelText("安装包地址"), "/client.exe");
  expect(preview.getByText("1.2")).toBeInTheDocument();
  expect(preview.getByRole("region", { name: "更新说明" })).toHaveTextContent("更快");
  expect(preview.getByRole("button", { name: "复制 SHA-256" })).toBeInTheDocument();
  expect(preview.getByText("下载客户端")).toBeInTheDocument();
});

const OVERTAKEN = { code: 60105, message: "内容已被他人更改，请刷新后重试" };
const overtaken = {
  publication: { ...publication, latestVersion: 3 },
  revisions: [revision(3, "他人的标题"), ...found.revisions],
};

it("an edit that another operator overtook is told once, with one button, which takes the newest", async () => {
  let now = found;
  answers({
    "session/me": me(ALL),
    [call("show")]: () => ({ datas: now }),
    [call("save")]: () => {
      now = overtaken;
      return OVERTAKEN;
    },
  });
  const { user } = open("/publications/p1");
  await user.type(await screen.findByLabelText("标题"), "，改");
  await user.click(screen.getByRole("button", { name: "保存草稿" }));
  expect(await screen.findByText("已有新版本 3，您正在修改的是版本 2。")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("button", { name: "保存草稿" })).toBeEnabled());
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.queryByText(/请刷新后重试/)).not.toBeInTheDocument();
  expect(screen.getByLabelText("标题")).toHaveValue("停机通知，改");
  await user.click(within(screen.getByRole("alert")).getByRole("button"));
  await waitFor(() => expect(screen.getByLabelText("标题")).toHaveValue("他人的标题"));
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("so is a publication: its dialog gives way to the form; another conflict stays in the dialog", async () => {
  let now = found;
  let refusal = { code: 60105, message: "这个版本已发布" };
  answers({
    "session/me": me(ALL),
    [call("show")]: () => ({ datas: now }),
    [call("publish")]: () => refusal,
    [call("save")]: () => {
      now = overtaken;
      return OVERTAKEN;
    },
  });
  const { user } = open("/publications/p1");
  await user.click(await screen.findByRole("button", { name: "发布" }));
  const dialog = within(await screen.findByRole("dialog", { name: "发布内容" }));
  await user.click(dialog.getByRole("button", { name: "确认发布" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("这个版本已发布");
  await user.click(dialog.getByRole("button", { name: "取消" }));

  refusal = OVERTAKEN;
  await user.type(screen.getByLabelText("标题"), "，改");
  await user.click(screen.getByRole("button", { name: "发布" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "发布内容" })).getByRole("button", { name: "确认发布" }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(screen.getByRole("alert")).toHaveTextContent("已有新版本 3");
  expect(screen.queryByText("已发布")).not.toBeInTheDocument();
});

it("all fields of the editor leave the same room below them, whatever stands there", async () => {
  answers({ "session/me": me(ALL) });
  const { user } = open("/publications/new?kind=popup");
  await user.type(await screen.findByLabelText("结束时间日期"), "2020-01-01{Tab}");
  await user.click(screen.getByRole("button", { name: "发布" }));
  const over = await screen.findByText("结束时间已过");
  const room = (element: Element | null | undefined) => {
    if (!element) throw new Error("nothing below the field");
    const { minHeight, paddingTop, paddingBottom } = getComputedStyle(element);
    return { minHeight, paddingTop, paddingBottom };
  };
  const { minHeight } = room(over);
  expect(minHeight).toMatch(/px$/);
  for (const below of [
    screen.getByText("请填写图片地址"),
    screen.getByText("小的在前"),
    screen.getByText(/^可不填；/),
    screen.getByRole("group", { name: "开始时间" }).lastElementChild,
    screen.getByRole("combobox", { name: "位置" }).parentElement?.nextElementSibling,
  ])
    expect(room(below)).toEqual(room(over));
  expect(screen.getByLabelText("结束时间日期")).toBeInvalid();
});
