import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";
import { pieces, readWords } from "./words";

const call = (name: string) => `/api-console/personal/words/${name}`;

it("an import tells each wrong line, and takes what is missing from its default", () => {
  expect(readWords("\uFEFF赌博\n加微信，替换,***,广告\n刷单\treview\n\n", "refuse")).toEqual({
    words: [
      { word: "赌博", action: "refuse", replacement: "", note: "" },
      { word: "加微信", action: "replace", replacement: "***", note: "广告" },
      { word: "刷单", action: "review", replacement: "", note: "" },
    ],
    problems: [],
  });
  expect(readWords("赌博\n赌博\n---\n甲,禁止", "refuse").problems).toEqual([
    "第 2 行：“赌博”重复",
    "第 3 行：词语至少包含一个文字或数字",
    "第 4 行：不认识的处理方式“禁止”",
  ]);
});

it("a text is cut by characters, also behind an emoji, and nothing is marked twice", () => {
  const hit = (position: number, length: number) => ({ word: "赌", action: "refuse", position, length });
  expect(pieces("😀去赌博吧", [hit(2, 2), hit(3, 1)]).map(({ text }) => text)).toEqual([
    "😀去",
    "赌博",
    "吧",
  ]);
});

it("tests a text, imports words with a reason, and edits one", async () => {
  const word = {
    word: "赌博",
    action: "refuse",
    replacement: "",
    note: "",
    changedBy: "linyi",
    changedAt: 1,
  };
  const heard = answers({
    "session/me": me(ALL),
    [call("list")]: { datas: { words: [word], next: "", totalCount: 1 } },
    [call("test")]: {
      datas: {
        verdict: "refused",
        hits: [{ word: "赌博", action: "refuse", position: 1, length: 2 }],
        text: "",
      },
    },
    [call("import")]: { datas: { added: 2, changed: 0 } },
    [call("save")]: { code: 60105, message: "词语已存在" },
  });
  const { user } = open("/words");
  await user.type(await screen.findByLabelText(/粘贴一段文本/), "去赌博");
  await user.click(screen.getByRole("button", { name: "测试" }));
  expect(await screen.findByText("拒绝发布")).toBeInTheDocument();
  expect(screen.getByTitle("赌博：拒绝")).toHaveTextContent("赌博");
  expect(await findings()).toEqual([]);

  await user.click(screen.getByRole("button", { name: "导入" }));
  const dialog = await screen.findByRole("dialog", { name: "导入敏感词" });
  await user.type(within(dialog).getByLabelText("词语"), "甲{Enter}乙");
  await user.click(within(dialog).getByRole("button", { name: "更新词库" }));
  await user.click(within(dialog).getByRole("button", { name: "导入" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("import"))?.body).toMatchObject({
      words: [{ word: "甲" }, { word: "乙" }],
      reason: "更新词库",
    }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(screen.getByRole("button", { name: "添加" }));
  await user.type(await screen.findByLabelText("词语"), "赌博");
  await user.click(screen.getByRole("button", { name: "保存" }));
  expect(await screen.findByText("词语已存在")).toBeInTheDocument();
});
