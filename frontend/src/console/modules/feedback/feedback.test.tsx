import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";
import { OF_ALL } from "./columns";

const NOW = 1_790_000_000_000;
const item = {
  id: "f1",
  type: 0,
  state: "open",
  loginId: "u1",
  nickname: "木鱼",
  summary: "打不开",
  pictures: 1,
  hasArchive: true,
  answers: 0,
  createdAt: NOW,
  updatedAt: NOW,
};
const call = (name: string) => `/api-console/personal/feedback/${name}`;

it("answers for what was seen, keeps the text when somebody else was first, and closes with a reason", async () => {
  let answered = false;
  let refuse = true;
  const heard = answers({
    "session/me": me(ALL),
    [call("show")]: () => ({
      datas: {
        item: { ...item, state: answered ? "answered" : "open" },
        content: "第一行\n<script>",
        files: [
          { number: 1, name: "a.png", isPicture: true },
          { number: 2, name: "模型.zip", isPicture: false },
        ],
        answers: answered ? [{ operator: "linyi", content: "已修复", createdAt: NOW }] : [],
      },
    }),
    [call("answer")]: () => {
      if (refuse) {
        refuse = false;
        return { code: 60105, message: "其他人已经回复" };
      }
      answered = true;
      return {};
    },
    [call("close")]: {},
  });
  const { user } = open("/feedback/f1");
  expect(await screen.findByText(/<script>/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "查看图片 1" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "下载 模型.zip" })).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  const text = screen.getByLabelText("回复内容");
  await user.type(text, "已修复");
  await user.click(screen.getByRole("button", { name: "发送回复" }));
  expect(await screen.findByText("其他人已经回复")).toBeInTheDocument();
  expect(text).toHaveValue("已修复");
  await user.click(screen.getByRole("button", { name: "发送回复" }));
  await waitFor(() => expect(screen.getByLabelText("回复内容")).toHaveValue(""));
  expect(heard.filter((one) => one.call === call("answer")).at(-1)?.body).toEqual({
    id: "f1",
    content: "已修复",
    knownAnswers: 0,
  });
  await user.click(screen.getByRole("button", { name: "关闭" }));
  const dialog = await screen.findByRole("dialog", { name: "关闭反馈" });
  await user.click(within(dialog).getByRole("button", { name: "问题已解决" }));
  await user.click(within(dialog).getByRole("button", { name: "关闭" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("close"))?.body).toEqual({ id: "f1", reason: "问题已解决" }),
  );
});

it("the list asks for what its address says; the first page tells what waits", async () => {
  const heard = answers({
    "session/me": me(["feedback.read"]),
    [call("list")]: { datas: { items: [item], next: "", open: 3 } },
  });
  const { router } = open("/feedback?type=0&state=open");
  expect(await screen.findByRole("link", { name: "打不开" })).toHaveAttribute("href", "/feedback/f1");
  expect(heard.find((one) => one.call === call("list"))?.body).toMatchObject({ type: 0, state: "open" });
  expect(await findings()).toEqual([]);
  await router.navigate("/");
  expect(await screen.findByRole("link", { name: "待回复 3" })).toHaveAttribute(
    "href",
    "/feedback?state=open",
  );
});

it("on a phone the list keeps what tells entries apart: their text, kind and state", () => {
  expect(OF_ALL.filter(({ secondary }) => !secondary).map(({ key }) => key)).toEqual([
    "summary",
    "type",
    "state",
  ]);
});
