import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";
import { withNewest, withOlder } from "./lines";

const NOW = 1_790_000_000_000;
const line = (id: string, operator = "") => ({ id, operator, content: `第 ${id} 句`, createdAt: NOW });
const lines = (...ids: string[]) => ids.map((id) => line(id));
const ids = (known: { lines: readonly { id: string }[] }) => known.lines.map(({ id }) => id).join("");
const call = (name: string) => `/api-console/personal/chat/${name}`;

it("new lines follow the known ones, older ones go before, and there is never a hole", () => {
  const first = withNewest(undefined, lines("c", "d"), true);
  expect(first.older).toBe(true);
  const older = withOlder(first, lines("a", "b", "c"), false);
  expect(ids(older)).toBe("abcd");
  const grown = withNewest(older, lines("d", "e"), true);
  expect([ids(grown), grown.older]).toEqual(["abcde", false]);
  const far = withNewest(grown, lines("x", "y"), true);
  expect([ids(far), far.older]).toEqual(["xy", true]);
});

it("answers with Enter, and sends the same message again after a lost answer", async () => {
  let lost = true;
  let said = false;
  const conversation = {
    loginId: "u1",
    nickname: "木鱼",
    open: true,
    waitingSince: NOW,
    lastAt: NOW,
    lastLine: "第 a 句",
    unread: 0,
  };
  const heard = answers({
    "session/me": me(ALL),
    [call("list")]: { datas: { conversations: [conversation], next: "", waiting: 1 } },
    [call("lines")]: () => ({
      datas: { conversation, lines: said ? [line("a"), line("b", "linyi")] : [line("a")], more: false },
    }),
    [call("send")]: () => {
      if (lost) {
        lost = false;
        return { status: 502, code: 60500, message: "服务繁忙" };
      }
      said = true;
      return { datas: line("b", "linyi") };
    },
  });
  const { user } = open("/chat");
  await user.click(await screen.findByRole("link", { name: /木鱼/ }));
  expect(await screen.findByRole("log", { name: "消息" })).toHaveTextContent("第 a 句");
  expect(document.title).toBe("会话：木鱼 - 玄览云运营后台");
  expect(await findings()).toEqual([]);
  await user.type(screen.getByLabelText("回复"), "您好{Enter}");
  expect(await screen.findByText("服务繁忙")).toBeInTheDocument();
  await user.type(screen.getByLabelText("回复"), "{Enter}");
  expect(await screen.findByText("第 b 句")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText("回复")).toHaveValue(""));
  const sent = heard.filter((one) => one.call === call("send")).map(({ body }) => body);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]).toMatchObject({ loginId: "u1", content: "您好" });
});
