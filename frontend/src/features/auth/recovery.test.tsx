import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { passing, renderDialog, solveSlider } from "@/test/render";
import { answer, names } from "@/test/server";

const phone = () => screen.getByLabelText("手机号");
const password = () => screen.getByLabelText("新密码");
const confirm = () => screen.getByLabelText("确认密码");
const code = () => screen.getByLabelText("验证码");
const submit = () => screen.getByRole("button", { name: "确认修改" });
const submitMessages = [
  "请输入正确的手机号",
  "请输入密码",
  "请输入6~16位字符的密码",
  "请确认密码",
  "两次密码需一致",
  "请获取验证码",
  "请输入验证码",
  "请进行智能验证",
];

/** The toasts on the page; each stays 2 s. */
const told = () => submitMessages.filter((message) => screen.queryByText(message) !== null);

async function expectOnly(message: string) {
  expect(await screen.findByText(message)).toBeVisible();
  expect(told()).toEqual([message]);
  await waitFor(() => expect(told()).toEqual([]));
}

describe("password recovery", () => {
  it("has four fields, a slider check, a confirm button and a way back (RC001, RC002, RC003, RC020)", async () => {
    const { user, store } = renderDialog("rebuild");
    for (const field of [phone(), password(), confirm(), code()]) expect(field).toBeVisible();
    expect(screen.getByTestId("captcha-bar")).toBeVisible();
    expect(submit()).toBeVisible();
    await user.click(screen.getByRole("button", { name: "返回登录" }));
    expect(store.getState().authDialog.step).toBe("login");
  });

  it("tells the confirm field's own messages on leaving it (RC013, RC014, RC015)", async () => {
    const { user } = renderDialog("rebuild");
    await user.type(password(), "secret1");
    await user.click(confirm());
    await user.tab();
    expect(await screen.findByText("请再次输入密码")).toBeVisible();
    await user.type(confirm(), "abc");
    await user.tab();
    expect(await screen.findByText("请输入正确的密码")).toBeVisible();
    await user.type(confirm(), "defg");
    await user.tab();
    expect(await screen.findByText("两次输入密码不一致!")).toBeVisible();
  });

  it("refuses an unknown phone without an SMS (RC016)", async () => {
    const calls = answer({ userIsExist: { datas: true } });
    const { user } = renderDialog("rebuild");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("用户不存在")).toBeVisible();
    expect(names(calls)).toEqual(["userIsExist"]);
  });

  it("runs the checks in their order, then changes the password (RC004 to RC012, RC017, RC018)", async () => {
    const calls = answer({
      ...passing,
      userIsExist: { datas: false },
      sendSms: { datas: "key-1" },
      findPwdByPhone: {},
    });
    const { user, store } = renderDialog("rebuild");
    await user.click(submit());
    await expectOnly("请输入正确的手机号");

    await user.type(phone(), "13800138000{Enter}");
    await expectOnly("请输入密码");

    await user.type(password(), "12345{Enter}");
    await expectOnly("请输入6~16位字符的密码");

    await user.type(password(), "6{Enter}");
    await expectOnly("请确认密码");

    await user.type(confirm(), "654321{Enter}");
    await expectOnly("两次密码需一致");

    await user.clear(confirm());
    await user.type(confirm(), "123456{Enter}");
    await expectOnly("请获取验证码");

    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    expect(calls.find((call) => call.name === "sendSms")?.form.type).toBe("rebuild");
    await user.click(submit());
    await expectOnly("请输入验证码");

    // The pass that sent the code is spent: the change needs one of its own.
    await user.type(code(), "123456{Enter}");
    await expectOnly("请进行智能验证");
    expect(names(calls)).not.toContain("findPwdByPhone");

    await user.click(screen.getByTestId("captcha-bar"));
    await solveSlider(user);
    await waitFor(() => expect(screen.getByTestId("captcha-bar")).toHaveTextContent("验证通过"));
    await user.click(submit());
    expect(await screen.findByText("修改成功")).toBeVisible();
    const sent = calls.find((call) => call.name === "findPwdByPhone");
    expect(sent?.form).toMatchObject({
      phoneno: "13800138000",
      verifycode: "123456",
      password: "123456",
      smsKey: "key-1",
    });
    const tickets = calls.filter((call) => call.form.nvcTicket).map((call) => call.form.nvcTicket);
    expect(new Set(tickets).size).toBe(2);
    expect(store.getState().authDialog).toMatchObject({ step: "login", phone: "13800138000" });
  });
});
