import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const line = (number: number) => ({
  id: `l${String(number).padStart(3, "0")}`,
  mine: number % 2 === 0,
  content: `第 ${number} 句`,
  createTime: 1_767_196_800_000 + number,
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => line(from + at));

test("older lines of a conversation are read by its beginning", async () => {
  const heard = answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 0, results: [] } },
    lines: ({ form }) => {
      if (form.before === "l051") return { datas: { lines: lines(1, 50), earlier: false } };
      if (form.after) return { datas: { lines: [], earlier: false } };
      return { datas: { lines: lines(51, 100), earlier: true } };
    },
  });
  const { user } = openSite("/helpCenter", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "在线客服" }));
  const chat = within(await screen.findByRole("log", { name: "对话" }));
  expect(await chat.findByText("第 100 句")).toBeInTheDocument();
  expect(chat.queryByText("第 50 句")).not.toBeInTheDocument();
  await user.click(chat.getByRole("button", { name: "查看更早的消息" }));
  expect(await chat.findByText("第 1 句")).toBeInTheDocument();
  expect(chat.getAllByRole("listitem").map((item) => item.textContent)[0]).toContain("第 1 句");
  expect(chat.getAllByRole("listitem")).toHaveLength(100);
  expect(chat.queryByRole("button", { name: "查看更早的消息" })).not.toBeInTheDocument();
  // Newer lines are still asked for behind the newest.
  const asked = heard.filter((call) => call.name === "lines").map((call) => call.form.after);
  expect(asked.filter(Boolean).every((after) => after === "l100")).toBe(true);
});

test.each([
  ["with a keyboard", false, "输入消息，Enter 发送"],
  ["on a phone", true, "输入消息"],
])("the field says how to send %s", async (_where, coarse, hint) => {
  const match = window.matchMedia;
  vi.spyOn(window, "matchMedia").mockImplementation((media) =>
    Object.assign(match(media), { matches: coarse && media === "(pointer: coarse)" }),
  );
  answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 0, results: [] } },
    lines: { datas: { lines: [], earlier: false } },
  });
  const { user } = openSite("/helpCenter", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "在线客服" }));
  expect(await screen.findByLabelText("消息")).toHaveAttribute("placeholder", hint);
});
