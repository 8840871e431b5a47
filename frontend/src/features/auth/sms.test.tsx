import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { passing, renderDialog, solveSlider } from "@/test/render";
import { answer, names } from "@/test/server";

const phone = () => screen.getByLabelText("手机号");
const sendButton = () => screen.getByRole("button", { name: /获取验证码|后重新发送/ });

afterEach(() => {
  vi.useRealTimers();
});

async function sendOne(answers: Parameters<typeof answer>[0] = {}) {
  const calls = answer({
    ...passing,
    userIsExist: { datas: false },
    sendSms: { datas: "key-1" },
    ...answers,
  });
  const page = renderDialog("login");
  expect(sendButton()).toHaveTextContent("获取验证码");
  await page.user.type(phone(), "13800138000");
  await page.user.click(sendButton());
  await solveSlider(page.user);
  return { ...page, calls };
}

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("SMS code", () => {
  it("checks the format before anything is sent (SM001)", async () => {
    const calls = answer({});
    const { user } = renderDialog("login");
    await user.type(phone(), "12800138000");
    await user.click(sendButton());
    expect(await screen.findByText("请输入正确的手机号")).toBeVisible();
    expect(calls).toEqual([]);
  });

  it("asks for existence, then for the slider, then sends with the ticket (SM002, SL002, AM011)", async () => {
    localStorage.setItem("xuanlan.device", "device-1");
    const { calls } = await sendOne();
    await waitFor(() => expect(names(calls)).toContain("sendSms"));
    expect(names(calls)).toEqual([
      "userIsExist",
      "getAliyunAcs",
      "sliderChallenge",
      "getAliyunAcs",
      "sendSms",
    ]);
    const sms = calls.at(-1);
    expect(sms?.form).toMatchObject({ phone: "13800138000", type: "login", device: "device-1" });
    expect(sms?.form.nvcTicket).toMatch(/^challenge-/);
  });

  it("counts down from 60 and works again at the end (SM003 to SM008)", async () => {
    // Fakes only the countdown's timers: network and puzzle keep real time.
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const { user, calls } = await sendOne();
    expect(await screen.findByText(/^60s后重新发送$/)).toBe(sendButton());
    expect(await screen.findByText("发送成功")).toBeVisible();
    for (const left of [59, 58, 57]) {
      await advance(1000);
      expect(sendButton()).toHaveTextContent(`${left}s后重新发送`);
    }
    expect(sendButton()).toBeDisabled();
    const before = calls.length;
    fireEvent.click(sendButton());
    await advance(1000);
    expect(calls).toHaveLength(before);
    await advance(56_000);
    expect(sendButton()).toHaveTextContent("获取验证码");
    await user.click(sendButton());
    await screen.findByRole("slider");
    expect(names(calls).slice(before)).toEqual(["userIsExist", "getAliyunAcs", "sliderChallenge"]);
  });

  it("tells that it is too soon before anybody solves a puzzle", async () => {
    const calls = answer({
      userIsExist: { datas: false },
      getAliyunAcs: { code: 60202, message: "获取太频繁，请45秒后再试" },
    });
    const { user } = renderDialog("login");
    await user.type(phone(), "13800138000");
    await user.click(sendButton());
    expect(await screen.findByText("获取太频繁，请45秒后再试")).toBeVisible();
    expect(names(calls)).toEqual(["userIsExist", "getAliyunAcs"]);
    expect(sendButton()).toBeEnabled();
  });

  it("resets the button at once on 60202, and shows the message (SM009, AM005)", async () => {
    const { user, calls } = await sendOne({ sendSms: { code: 60202, message: "发送过于频繁" } });
    expect(await screen.findByText("发送过于频繁")).toBeVisible();
    expect(sendButton()).toHaveTextContent("获取验证码");
    expect(sendButton()).toBeEnabled();
    await user.click(sendButton());
    await waitFor(() => expect(names(calls).filter((name) => name === "userIsExist")).toHaveLength(2));
    // Waits for the puzzle, which would otherwise leak into the next test.
    await screen.findByRole("slider");
  });

  it("goes on with the password where others have used up the number's codes", async () => {
    const usedUp = { code: 60208, message: "该手机号今天获取验证码次数过多，请5小时后再试" };
    const calls = answer({
      ...passing,
      userIsExist: { datas: false },
      getAliyunAcs: (call) =>
        call.form.nvcdata?.includes('"showsPassword":false') ? usedUp : passing.getAliyunAcs(call),
      sendSms: { datas: "key-1" },
    });
    const { user } = renderDialog("login");
    await user.type(phone(), "13800138000");
    await user.click(sendButton());
    const password = await screen.findByLabelText("登录密码");
    expect(password).toHaveFocus();
    expect(screen.getByRole("status")).toHaveTextContent("输入登录密码，再获取一次");
    await user.click(sendButton());
    expect(await screen.findByText("请输入密码")).toBeVisible();
    expect(names(calls)).toEqual(["userIsExist", "getAliyunAcs"]);
    await user.type(password, "shanhai1");
    await user.click(sendButton());
    await solveSlider(user);
    expect(await screen.findByText("密码正确的话，验证码马上会发到手机上")).toBeVisible();
    expect(calls.at(-1)?.form).toMatchObject({ phone: "13800138000", password: "shanhai1" });
    // The password belongs to that number alone.
    await user.type(phone(), "{Backspace}1");
    expect(screen.queryByLabelText("登录密码")).toBeNull();
  });

  it("tells in bindPhone that the number is taken, without an SMS (TP007)", async () => {
    const calls = answer({ userIsExist: { datas: false } });
    const { user } = renderDialog("bindPhone");
    await user.type(phone(), "13800138000");
    await user.click(sendButton());
    expect(await screen.findByText("手机号码已存在")).toBeVisible();
    expect(names(calls)).toEqual(["userIsExist"]);
  });
});
