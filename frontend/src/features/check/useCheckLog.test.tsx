import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Providers } from "@/app/Providers";
import { connectionChanged } from "@/realtime";
import { startStore } from "@/test/render";
import { answer } from "@/test/server";
import type { CheckMessage } from "./log";
import { CHECK_POLL_MS, useCheckLog } from "./useCheckLog";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function Course() {
  const { log, offline } = useCheckLog("77");
  return (
    <ol aria-label={`${log.phase}${offline ? "，断线" : ""}`}>
      {log.lines.map((line) => (
        <li key={line.seq}>{line.text}</li>
      ))}
    </ol>
  );
}

const ended = (query: { status: string } | undefined) => query?.status !== "pending";

/** Renders the hook with a server that returns all messages so far. */
function listen(connected: boolean) {
  const told: CheckMessage[] = [];
  const heard = answer({
    get_model_status: () => ({
      datas: { status: "", tips: "", currentTime: 0, fileSize: 0, format: "", messages: told },
    }),
  });
  const store = startStore();
  if (connected) store.dispatch(connectionChanged(true));
  render(
    <Providers store={store}>
      <Course />
    </Providers>,
  );
  const say = (status: CheckMessage["status"], tips: string) =>
    told.push({ seq: told.length + 1, status, tips, currentTime: 1_700_000_000_000 });
  const asked = () => heard.filter((call) => call.name === "get_model_status");
  /** Waits until `times` requests are answered; the next poll is due from the last answer on. */
  const answered = (times: number) =>
    until(() => asked().length === times && Object.values(store.getState().api.queries).every(ended));
  return { store, say, asked, answered };
}

/** Processes pending answers, without advancing the clock, until the condition holds. */
async function until(condition: () => boolean) {
  while (!condition()) await act(() => new Promise((resolve) => setImmediate(resolve)));
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const lines = () => screen.queryAllByRole("listitem").map((line) => line.textContent);

it("asks every 30 s with the type CHECK while the socket is down, and the log grows (CK013)", async () => {
  const { say, asked, answered } = listen(false);
  await answered(1);
  for (const tips of ["读取几何", "统计三角面", "检查贴图"]) {
    const before = asked().length;
    say("Normal", tips);
    await pass(CHECK_POLL_MS - 1);
    expect(asked()).toHaveLength(before);
    await pass(1);
    await until(() => lines().includes(tips));
    await answered(before + 1);
  }
  expect(CHECK_POLL_MS).toBe(30_000);
  expect(lines()).toEqual(["读取几何", "统计三角面", "检查贴图"]);
  for (const call of asked()) expect(call.form).toMatchObject({ id: "77", type: "CHECK" });
});

it("does not poll while the socket is up, and begins when it goes down (AM060)", async () => {
  const { store, say, asked, answered } = listen(true);
  await answered(1);
  // the single request after the silence at the start
  await pass(1_000);
  await answered(2);
  await pass(10 * CHECK_POLL_MS);
  say("Normal", "读取几何");
  act(() => {
    store.dispatch(connectionChanged(false));
  });
  await pass(CHECK_POLL_MS);
  await until(() => lines().includes("读取几何"));
  expect(asked()).toHaveLength(3);
});

it("asks no more once the check has ended", async () => {
  const { store, say, asked, answered } = listen(false);
  await answered(1);
  say("Success", "模型状况良好");
  await pass(CHECK_POLL_MS);
  await until(() => screen.queryByRole("list", { name: "complete，断线" }) !== null);
  await pass(10 * CHECK_POLL_MS);
  act(() => {
    store.dispatch(connectionChanged(true));
  });
  await until(() => screen.queryByRole("list", { name: "complete" }) !== null);
  expect(asked()).toHaveLength(2);
});
