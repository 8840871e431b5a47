import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PersonalUserMessage } from "@/calls/personal";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const message = (id: number): PersonalUserMessage => ({
  id: String(id),
  group: "systemInformation",
  kind: "system",
  title: `消息 ${id}`,
  content: "",
  link: "",
  isRead: true,
  createTime: Date.UTC(2026, 10, id),
});

test("a page of messages by its address; the last one of it is deleted, and the page before comes", async () => {
  let all = Array.from({ length: 11 }, (_, index) => message(index + 1));
  answer({
    ...frameAnswers(),
    unread: { datas: { total: 0, groups: {} } },
    list: ({ form }) => {
      const start = (Number(form.pageNo) - 1) * 10;
      return { datas: { totalCount: all.length, results: all.slice(start, start + 10) } };
    },
    delete: ({ form }) => {
      all = all.filter(({ id }) => id !== form.ids);
      return {};
    },
  });
  const { user, at } = openSite("/workbench/myMessage?page=2", { signedIn: true });
  expect(await screen.findByText("消息 11")).toBeInTheDocument();
  const rows = () => within(screen.getByRole("list", { name: "消息" })).getAllByRole("listitem");
  expect(rows()).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "删除" }));
  await waitFor(() => expect(rows()).toHaveLength(10));
  expect(at()).toBe("/workbench/myMessage");
});
