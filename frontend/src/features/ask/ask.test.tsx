import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setConfig } from "@/api/config";
import { signedIn } from "@/session/slice";
import { answer } from "@/test/server";
import { testConfig } from "@/test/setup";
import { frameAnswers, openSite } from "@/test/site";

afterEach(() => setConfig(testConfig));

const open = (address: string, options?: { signedIn: boolean }) => {
  answer({
    ...frameAnswers(),
    lines: { datas: { lines: [] } },
    list: { datas: { totalCount: 0, results: [] } },
  });
  return openSite(address, options);
};

test("the link of an answer opens the chat once, and the address forgets it", async () => {
  const { at } = open("/helpCenter?cid=2&ask=chat", { signedIn: true });
  expect(await screen.findByRole("dialog", { name: "在线客服" })).toBeInTheDocument();
  expect(at()).toBe("/helpCenter?cid=2");
});

test("the link of an answered feedback opens the user's own", async () => {
  const { at } = open("/helpCenter?ask=myFeedback", { signedIn: true });
  expect(await screen.findByRole("tab", { name: "我的反馈", selected: true })).toBeInTheDocument();
  expect(at()).toBe("/helpCenter");
});

test("a visitor signs in first, then the dialog opens", async () => {
  const { at, store } = open("/helpCenter?ask=chat");
  await waitFor(() => expect(store.getState().authDialog).toMatchObject({ open: true, step: "login" }));
  expect(screen.queryByRole("dialog", { name: "在线客服" })).not.toBeInTheDocument();
  store.dispatch(signedIn({ token: "t", loginId: "u1" }));
  expect(await screen.findByRole("dialog", { name: "在线客服" })).toBeInTheDocument();
  expect(at()).toBe("/helpCenter");
});

test("an address opens the conversation on this site, never an external chat", async () => {
  setConfig({ ...testConfig, chatUrl: "https://chat.example.cn/room" });
  const opened = vi.spyOn(window, "open").mockReturnValue(null);
  opened.mockClear();
  const { at } = open("/helpCenter?ask=chat", { signedIn: true });
  expect(await screen.findByRole("dialog", { name: "在线客服" })).toBeInTheDocument();
  await waitFor(() => expect(at()).toBe("/helpCenter"));
  expect(opened).not.toHaveBeenCalled();
});
