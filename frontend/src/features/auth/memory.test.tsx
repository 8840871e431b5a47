import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { deferred } from "@/test/deferred";
import { passing, renderDialog, solveSlider } from "@/test/render";
import { answer, names, tokenDatas } from "@/test/server";

const phone = () => screen.getByLabelText("手机号");
const account = () => screen.getByLabelText("手机号或邮箱");
const code = () => screen.getByLabelText("验证码");
const sendButton = () => screen.getByRole("button", { name: /获取验证码|后重新发送/ });
const tab = (user: UserEvent, name: string) => user.click(screen.getByRole("tab", { name }));
const press = (user: UserEvent, name: string) => user.click(screen.getByRole("button", { name }));

describe("a number that was typed", () => {
  it("is there on the other tab, also half of it, and an address stays where it is taken", async () => {
    const { user } = renderDialog("login");
    await user.type(phone(), "1380013");
    await tab(user, "密码登录");
    expect(account()).toHaveValue("1380013");
    await user.type(account(), "8000");
    await tab(user, "短信登录");
    expect(phone()).toHaveValue("13800138000");
    await tab(user, "密码登录");
    await user.clear(account());
    await user.type(account(), "a@b.cn");
    await tab(user, "短信登录");
    expect(phone()).toHaveValue("");
    await tab(user, "密码登录");
    expect(account()).toHaveValue("a@b.cn");
  });

  it("is there in registration and in recovery, and back; a password is not", async () => {
    const { user } = renderDialog("login");
    await tab(user, "密码登录");
    await user.type(account(), "13800138000");
    await user.type(screen.getByLabelText("密码"), "secret1");
    await press(user, "免费注册");
    expect(phone()).toHaveValue("13800138000");
    expect(screen.getByLabelText("密码")).toHaveValue("");
    await press(user, "去登录");
    expect(phone()).toHaveValue("13800138000");
    await press(user, "忘记密码");
    expect(phone()).toHaveValue("13800138000");
    await user.clear(phone());
    await user.type(phone(), "13900139000");
    await press(user, "返回登录");
    expect(phone()).toHaveValue("13900139000");
  });

  it("is the last one, also after a recovery filled the form in", async () => {
    answer({ ...passing, userIsExist: { datas: false }, sendSms: { datas: "key-1" }, findPwdByPhone: {} });
    const { user } = renderDialog("rebuild");
    await user.type(phone(), "13800138000");
    await user.type(screen.getByLabelText("新密码"), "secret1");
    await user.type(screen.getByLabelText("确认密码"), "secret1");
    await user.click(sendButton());
    await solveSlider(user);
    await screen.findByText("发送成功");
    await user.type(code(), "123456{Enter}");
    await waitFor(() => expect(account()).toHaveValue("13800138000"));
    await user.clear(account());
    await user.type(account(), "13900139000");
    await tab(user, "短信登录");
    expect(phone()).toHaveValue("13900139000");
  });
});

describe("a code that was sent", () => {
  const sending = {
    ...passing,
    userIsExist: { datas: false },
    sendSms: { datas: "key-login" },
    loginByphone: { datas: tokenDatas() },
  };

  async function sendOne(answers: Parameters<typeof answer>[0] = {}) {
    const calls = answer({ ...sending, ...answers });
    const page = renderDialog("login");
    await page.user.type(phone(), "13800138000");
    await page.user.click(sendButton());
    await solveSlider(page.user);
    return { ...page, calls };
  }

  it("signs in after the other tab, registration and recovery were looked at, and its countdown runs on", async () => {
    const { user, calls } = await sendOne();
    await screen.findByText("发送成功");
    await tab(user, "密码登录");
    await tab(user, "短信登录");
    expect(sendButton()).toHaveTextContent(/^\d+s后重新发送$/);
    await press(user, "免费注册");
    await press(user, "去登录");
    await press(user, "忘记密码");
    await press(user, "返回登录");
    expect(sendButton()).toHaveTextContent(/^\d+s后重新发送$/);
    expect(sendButton()).toBeDisabled();
    await user.type(code(), "123456{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(calls.find(({ name }) => name === "loginByphone")?.form).toMatchObject({
      phoneno: "13800138000",
      smsKey: "key-login",
    });
  });

  it("is for its own purpose only, to which the countdown belongs too", async () => {
    const { user, calls } = await sendOne();
    await screen.findByText("发送成功");
    await press(user, "忘记密码");
    expect(phone()).toHaveValue("13800138000");
    expect(sendButton()).toHaveTextContent("获取验证码");
    await user.type(screen.getByLabelText("新密码"), "secret1");
    await user.type(screen.getByLabelText("确认密码"), "secret1");
    await user.type(code(), "123456{Enter}");
    expect(await screen.findAllByText("请获取验证码")).not.toHaveLength(0);
    expect(names(calls)).not.toContain("findPwdByPhone");
  });

  it("is kept when its form was left before the answer came", async () => {
    const answered = deferred();
    const { user, calls } = await sendOne({
      sendSms: async () => {
        await answered.promise;
        return { datas: "key-late" };
      },
    });
    await waitFor(() => expect(names(calls)).toContain("sendSms"));
    await tab(user, "密码登录");
    await tab(user, "短信登录");
    expect(sendButton()).toHaveTextContent("获取验证码");
    answered.resolve();
    await waitFor(() => expect(sendButton()).toHaveTextContent(/^\d+s后重新发送$/));
    await user.type(code(), "123456{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
  });
});
