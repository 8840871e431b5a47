import { screen, waitFor } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { grant } from "@/features/upload/test/uploadAnswers";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { type Answer, answer } from "@/test/server";
import { standInObjectUrls } from "@/test/standIn";
import { MemoryStore } from "@/transfer/test/memoryStore";
import { FeedbackDialog } from "./FeedbackDialog";

let objects: MemoryStore;
beforeAll(async () => {
  objects = await MemoryStore.start();
});
afterAll(() => objects.stop());
beforeEach(() => standInObjectUrls("blob:preview"));

const NOTHING = { datas: { totalCount: 0, results: [] } };

function open(submit: Answer = {}, list: Answer = NOTHING) {
  writeLogin("tok", "u1");
  const calls = answer({ getHuaweiParam: () => ({ datas: grant(objects) }), submit, list });
  const page = renderPage(<FeedbackDialog onClose={() => undefined} />);
  page.store.dispatch(syncSession());
  const sent = () => calls.filter(({ name }) => name === "submit").map(({ form }) => form);
  const choose = async (label: string, ...files: File[]) => {
    const input = screen.getByLabelText(label, { selector: "input" });
    input.removeAttribute("accept");
    await page.user.upload(input, files);
  };
  const press = () => page.user.click(screen.getByRole("button", { name: "提交" }));
  return { ...page, sent, choose, press };
}

const file = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name);
const MB = 1024 * 1024;

it("wants a kind and words before it sends anything (FB001, FB002)", async () => {
  const { press, sent, user } = open();
  await press();
  expect(await screen.findByText("请选择反馈类型")).toBeVisible();
  expect(screen.getByText("请输入您的问题与建议")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "产品建议" }));
  await press();
  expect(screen.queryByText("请选择反馈类型")).toBeNull();
  expect(sent()).toEqual([]);
});

it.each([
  ["功能异常", "0"],
  ["产品建议", "1"],
  ["新增需求", "2"],
])(
  "sends %s as %s, with the place it comes from as 0, and says so (FB003, FB004, FB012)",
  async (name, type) => {
    const { press, sent, user } = open();
    await user.click(screen.getByRole("button", { name }));
    await user.type(screen.getByRole("textbox"), "按钮点不动");
    await press();
    expect(await screen.findByText("提交成功")).toBeVisible();
    expect(sent()).toEqual([
      expect.objectContaining({ feedbackType: type, feedbackEnd: "0", feedbackContent: "按钮点不动" }),
    ]);
  },
);

it("joins what was uploaded by commas and refuses what is too much (FB005, FB006, FB007, FB008, FB009, FB010, FB011)", async () => {
  const { choose, press, sent, user } = open();
  await choose("图片", file("a.png"), file("b.png"), file("c.jpg"));
  await choose("图片", file("large.png", 2.1 * MB));
  expect(await screen.findByText("单个文件不能超过2M")).toBeVisible();
  await choose("图片", file("4.png"), file("5.png"), file("6.png"));
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^移除/ })).toHaveLength(5));
  await choose("附件", file("log.7z"));
  await choose("附件", file("heavy.zip", 21 * MB));
  expect(screen.queryByText("log.7z")).toBeNull();
  expect(screen.queryByText("heavy.zip")).toBeNull();
  await choose("附件", file("log.zip"));
  expect(screen.queryByLabelText("选择文件")).toBeNull();
  await user.click(screen.getByRole("button", { name: "功能异常" }));
  await user.type(screen.getByRole("textbox"), "崩溃");
  await waitFor(async () => {
    await press();
    expect(sent()).toHaveLength(1);
  });
  const [form] = sent();
  expect(form?.feedbackPictureUrl?.split(",")).toHaveLength(5);
  expect(form?.feedbackAnnexUrl).toMatch(/^private\/u\/u1\/.*\.zip$/);
});

it("shows the server's refusal, and text as text (FB013)", async () => {
  const item = {
    id: "f1",
    feedbackType: 1,
    feedbackContent: "<img src=x onerror=alert(1)>",
    pictures: [],
    annexName: "",
    annexUrl: "",
    state: "answered",
    createTime: 1,
    replies: [{ content: "<script>alert(2)</script>", createTime: 2 }],
  };
  const refusal = { code: 60106, message: "今天提交的反馈已达上限，请明天再试" };
  const { press, user } = open(refusal, { datas: { totalCount: 1, results: [item] } });
  await user.click(screen.getByRole("button", { name: "功能异常" }));
  await user.type(screen.getByRole("textbox"), "又");
  await press();
  expect(await screen.findByText("今天提交的反馈已达上限，请明天再试")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "我的反馈" }));
  expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeVisible();
  expect(screen.getByText("<script>alert(2)</script>")).toBeVisible();
});

it("names its fields above them, keeps the button out of what scrolls, and its height when tabs change", async () => {
  const { press, user } = open();
  const type = screen.getByRole("group", { name: "反馈类型" });
  const words = screen.getByRole("textbox", { name: "问题与建议" });
  expect(words).toHaveAttribute("maxlength", "2000");
  expect(words).toHaveAccessibleDescription("0/2000");
  await press();
  expect(await screen.findByText("请选择反馈类型")).toBeVisible();
  expect(words).toHaveAccessibleDescription("请输入您的问题与建议");
  await waitFor(() => expect(screen.getByRole("button", { name: "功能异常" })).toHaveFocus());
  const scrolls = type.closest(".MuiDialogContent-root");
  expect(scrolls).toContainElement(words);
  expect(scrolls).not.toContainElement(screen.getByRole("button", { name: "提交" }));

  const paper = screen.getByRole("dialog", { name: "问题与建议" });
  const { height } = getComputedStyle(paper);
  expect(height).toMatch(/px$/);
  await user.type(words, "半句");
  await user.click(screen.getByRole("tab", { name: "我的反馈" }));
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(paper).toHaveStyle({ height });
  await user.click(screen.getByRole("tab", { name: "问题与建议" }));
  expect(screen.getByRole("textbox")).toHaveValue("半句");
});
