import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { passing, renderDialog, solveSlider } from "@/test/render";
import { answer, type HeardCall, names, tokenDatas } from "@/test/server";

/** Accepts only the second factor 123456 and the recovery code. */
const guarded = ({ form }: HeardCall) =>
  form.totp === "123456" || form.totp === "ABCD-EFGH"
    ? { datas: tokenDatas() }
    : {
        code: 60206,
        message: form.totp ? "动态验证码不正确" : "请输入动态验证码",
        datas: { factorTicket: "ticket-1" },
      };

const factor = () => screen.findByLabelText("动态验证码");

async function signInByPassword(answers = { token: guarded as (call: HeardCall) => object }) {
  const calls = answer({ getAliyunAcs: { datas: 100 }, ...answers });
  const page = renderDialog("login");
  await page.user.click(screen.getByRole("tab", { name: "密码登录" }));
  await page.user.type(screen.getByLabelText("手机号或邮箱"), "13800138000");
  await page.user.type(screen.getByLabelText("密码"), "secret1{Enter}");
  return { ...page, calls };
}

it("a password sign-in of an account with a second factor asks for it and goes on with the ticket", async () => {
  const { user, calls, store } = await signInByPassword();
  await user.type(await factor(), "12a34{Enter}");
  // The request for the second factor is no failure, so no toast is shown.
  expect(screen.queryByText("请输入动态验证码")).toBeNull();
  expect(await screen.findByText("动态验证码是 6 位数字")).toBeVisible();
  await user.clear(await factor());
  await user.type(await factor(), "000000{Enter}");
  expect(await screen.findByText("动态验证码不正确")).toBeVisible();
  await user.clear(await factor());
  await user.type(await factor(), "123456{Enter}");
  expect(await screen.findByText("登录成功")).toBeVisible();
  expect(calls.filter(({ name }) => name === "token").at(-1)?.form).toMatchObject({
    username: "13800138000",
    password: "secret1",
    totp: "123456",
    factorTicket: "ticket-1",
  });
  expect(store.getState().session.loginId).toBe("u1");
});

it("a recovery code serves in place of the app", async () => {
  const { user, calls } = await signInByPassword();
  await factor();
  await user.click(screen.getByRole("button", { name: "无法使用验证器？用恢复码" }));
  await user.type(screen.getByLabelText("恢复码"), "ABCD-EFGH{Enter}");
  expect(await screen.findByText("登录成功")).toBeVisible();
  expect(calls.filter(({ name }) => name === "token").at(-1)?.form.totp).toBe("ABCD-EFGH");
});

it("goes back to the first factor when that no longer counts", async () => {
  const { user } = await signInByPassword({
    token: (call) =>
      call.form.totp ? { code: 60203, message: "账号或密码错误次数过多，请 15 分钟后再试" } : guarded(call),
  });
  await user.type(await factor(), "123456{Enter}");
  expect(await screen.findByText("账号或密码错误次数过多，请 15 分钟后再试")).toBeVisible();
  expect(await screen.findByRole("tab", { name: "密码登录" })).toBeVisible();
});

it("a sign-in by SMS sends the same code again with the second factor", async () => {
  const calls = answer({
    ...passing,
    userIsExist: { datas: false },
    sendSms: { datas: "key-1" },
    loginByphone: guarded,
  });
  const { user } = renderDialog("login");
  await user.type(screen.getByLabelText("手机号"), "13800138000");
  await user.click(screen.getByRole("button", { name: "获取验证码" }));
  await solveSlider(user);
  await screen.findByText("发送成功");
  await user.type(screen.getByLabelText("验证码"), "654321{Enter}");
  await user.type(await factor(), "123456{Enter}");
  expect(await screen.findByText("登录成功")).toBeVisible();
  expect(calls.at(-1) && calls.filter(({ name }) => name === "loginByphone").at(-1)?.form).toMatchObject({
    phoneno: "13800138000",
    verifycode: "654321",
    smsKey: "key-1",
    totp: "123456",
  });
});

it("passes the slider where too many unknown numbers were asked for, and then sends the code", async () => {
  const calls = answer({
    ...passing,
    userIsExist: ({ form }) =>
      form.nvcTicket ? { datas: false } : { code: 60201, message: "请进行智能验证" },
    getAliyunAcs: { datas: 100 },
    sendSms: { datas: "key-1" },
  });
  const { user } = renderDialog("login");
  await user.type(screen.getByLabelText("手机号"), "13800138000");
  await user.click(screen.getByRole("button", { name: "获取验证码" }));
  await solveSlider(user);
  await waitFor(() => expect(names(calls)).toContain("sendSms"));
  expect(calls.filter(({ name }) => name === "userIsExist").map(({ form }) => form.nvcTicket)).toEqual([
    undefined,
    expect.stringMatching(/^challenge-/),
  ]);
});
