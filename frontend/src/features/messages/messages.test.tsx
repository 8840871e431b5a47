import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PersonalUserMessage } from "@/calls/personal";
import { connectionChanged, queueMessage } from "@/realtime";
import { answer } from "@/test/server";
import { allAnswered, frameAnswers, openSite } from "@/test/site";

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

test("a push renews the list, or the profile; after an interruption of push both are asked for again", async () => {
  const all = [message(1)];
  const heard = answer({
    ...frameAnswers(),
    unread: { datas: { total: 0, groups: {} } },
    list: () => ({ datas: { totalCount: all.length, results: all } }),
  });
  const { store } = openSite("/workbench/myMessage", { signedIn: true });
  expect(await screen.findByText("消息 1")).toBeInTheDocument();
  const asked = (name: string) => heard.filter((call) => call.name === name).length;
  // Requested by the listener for pushes.
  await waitFor(() => expect(asked("queryMessageIsRead")).toBeGreaterThan(0));
  await allAnswered(store);
  const send = (action: Parameters<typeof store.dispatch>[0]) => act(() => void store.dispatch(action));

  const profiles = asked("avatarInformation");
  send(queueMessage({ type: "PROFILE" }));
  await waitFor(() => expect(asked("avatarInformation")).toBe(profiles + 1));
  await allAnswered(store);

  all.unshift(message(2));
  send(queueMessage({ type: "MESSAGE", id: "2", group: "systemInformation", unread: null }));
  expect(await screen.findByText("消息 2")).toBeInTheDocument();
  await allAnswered(store);

  const lists = asked("list");
  send(connectionChanged(true));
  send(connectionChanged(false));
  await allAnswered(store);
  expect(asked("list")).toBe(lists);
  all.unshift(message(3));
  send(connectionChanged(true));
  expect(await screen.findByText("消息 3")).toBeInTheDocument();
  await waitFor(() => expect(asked("avatarInformation")).toBeGreaterThan(profiles + 1));
});

test("a long announcement is folded until its button opens it, also by the keyboard; that reads nothing", async () => {
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockImplementation(function (
    this: Element,
  ) {
    return this.textContent?.startsWith("长文") ? 500 : 0;
  });
  onTestFinished(() => height.mockRestore());
  const announcement = (id: number, content: string) => ({
    ...message(id),
    group: "announcement",
    content,
    isRead: false,
  });
  const heard = answer({
    ...frameAnswers(),
    unread: { datas: { total: 2, groups: { announcement: 2 } } },
    list: {
      datas: {
        totalCount: 3,
        results: [
          announcement(1, "长文".repeat(500)),
          announcement(2, "短"),
          { ...message(3), content: "长文" },
        ],
      },
    },
  });
  const { user } = openSite("/workbench/myMessage", { signedIn: true });
  const button = await screen.findByRole("button", { name: "展开：消息 1" });
  expect(screen.getAllByRole("button", { name: /^展开：/ })).toHaveLength(1);
  expect(button).toHaveAttribute("aria-expanded", "false");
  const text = screen.getByText("长文".repeat(500));
  expect(button).toHaveAttribute("aria-controls", text.id);
  expect(text).toHaveStyle({ overflow: "hidden" });
  button.focus();
  await user.keyboard("{Enter}");
  expect(button).toHaveAttribute("aria-expanded", "true");
  expect(button).toHaveTextContent("收起");
  expect(button).toHaveFocus();
  expect(text).not.toHaveStyle({ overflow: "hidden" });
  await user.keyboard("{Enter}");
  expect(text).toHaveStyle({ overflow: "hidden" });
  expect(screen.getAllByRole("img", { name: "未读" })).toHaveLength(2);
  expect(heard.some(({ name }) => name === "read")).toBe(false);
});
