import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { answer } from "@/test/server";
import { frameAnswers } from "@/test/site";
import { TakeAlongPanel } from "./TakeAlongPanel";

const MADE = new Date(2026, 11, 8, 9, 30).getTime();
const DAY = 86_400_000;

afterEach(() => void vi.restoreAllMocks());

function open(first: object) {
  writeLogin("tok", "u1");
  let now = {
    state: "none",
    requestedAt: 0,
    readyAt: 0,
    expiresAt: 0,
    bytes: 0,
    nextAt: 0,
    keepDays: 7,
    ...first,
  };
  const calls = answer({
    ...frameAnswers(),
    state: () => ({ datas: now }),
    start: () => {
      now = { ...now, state: "making", requestedAt: MADE, nextAt: MADE + DAY };
      return { datas: now };
    },
    link: {
      datas: { url: "https://store.test/e/u1/a.zip?sign", expiresAt: MADE, fileName: "玄览云个人数据.zip" },
    },
  });
  const sent = (name: string) => calls.filter((call) => call.name === name);
  return { ...renderPage(<TakeAlongPanel />), sent };
}

it("is asked for once, and says that it is being made", async () => {
  const { user, sent } = open({});
  expect(await screen.findByText("尚未申请")).toBeVisible();
  expect(screen.queryByRole("button", { name: "下载" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "申请数据" }));
  expect(await screen.findByText("正在打包")).toBeVisible();
  expect(sent("start")).toHaveLength(1);
  expect(screen.queryByRole("button")).toBeNull();
});

it("is downloaded while its days last, and not asked for twice a day", async () => {
  const ready = { state: "ready", readyAt: MADE, expiresAt: MADE + 7 * DAY, bytes: 1536, nextAt: MADE + DAY };
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { user, sent } = open(ready);
  expect(await screen.findByText("可以下载（1.5 KB）")).toBeVisible();
  expect(screen.getByText(/保留到 2026-12-15 09:30。2026-12-09 09:30 后可以再次申请/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "重新申请" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "下载" }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  expect(sent("link")).toHaveLength(1);
  expect((clicked.mock.instances[0] as HTMLAnchorElement).href).toContain("/e/u1/a.zip");
});

it.each([
  ["expired", "已过期"],
  ["failed", "打包失败"],
])("can be asked for again when it is %s", async (state, words) => {
  const { user, sent } = open({ state });
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "重新申请" }));
  await waitFor(() => expect(sent("start")).toHaveLength(1));
});
