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

/** The toasts on the page; each is shown for 2 s. */
const told = () => {
  const toasts = [...document.querySelectorAll(".notistack-MuiContent")].map((toast) => toast.textContent);
  return submitMessages.filter((message) => toasts.includes(message));
};

async function expectOnly(message: string) {
  await waitFor(() => expect(told()).toEqual([message]));
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

  it("tells the confirm field's own messages on leaving it (RC013, RC014, RC015, AM006 to AM008)", async () => {
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

  it("runs the checks in their order, then changes the password (RC004 to RC012 by the words of each, RC017, RC018, AM006, AM007)", async () => {
    let changes = 0;
    const calls = answer({
      ...passing,
      userIsExist: { datas: false },
      sendSms: { datas: "key-1" },
      findPwdByPhone: () => {
        changes += 1;
        return changes === 1 ? { code: 60201, message: "请进行智能验证" } : {};
      },
    });
    const { user, store } = renderDialog("rebuild");
    await user.click(submit());
    await expectOnly("请输入正确的手机号");

    await user.type(phone(), "13800138000{Enter}");
    await expectOnly("请输入密码"); // RC005

    await user.type(password(), "12345{Enter}");
    await expectOnly("请输入6~16位字符的密码"); // RC006

    await user.type(password(), "6{Enter}");
    await expectOnly("请确认密码"); // RC007

    await user.type(confirm(), "654321{Enter}");
    await expectOnly("两次密码需一致"); // RC008

    await user.clear(confirm());
    await user.type(confirm(), "123456{Enter}");
    await expectOnly("请获取验证码"); // RC009

    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    expect(calls.find((call) => call.name === "sendSms")?.form.type).toBe("rebuild");
    await user.click(submit());
    await expectOnly("请输入验证码"); // RC010

    // The pass that sent the code also serves the form; here the server has lost it.
    await user.type(code(), "123456{Enter}");
    await expectOnly("请进行智能验证"); // RC011
    expect(screen.getByTestId("captcha-bar")).toHaveTextContent("点击完成智能验证");
    await user.click(submit());
    await expectOnly("请进行智能验证");
    expect(names(calls).filter((name) => name === "findPwdByPhone")).toHaveLength(1);

    await user.click(screen.getByTestId("captcha-bar"));
    await solveSlider(user);
    await waitFor(() => expect(screen.getByTestId("captcha-bar")).toHaveTextContent("验证通过"));
    await user.click(submit());
    expect(await screen.findByText("修改成功")).toBeVisible();
    const sent = calls.filter((call) => call.name === "findPwdByPhone")[1];
    expect(sent?.form).toMatchObject({
      phoneno: "13800138000",
      verifycode: "123456",
      password: "123456",
      smsKey: "key-1",
    });
    expect(store.getState().authDialog).toMatchObject({ step: "login", phone: "13800138000" });
  });

  it("takes one pass for the code and the form, and for a second try of the code", async () => {
    let changes = 0;
    const calls = answer({
      ...passing,
      userIsExist: { datas: false },
      sendSms: { datas: "key-1" },
      findPwdByPhone: () => {
        changes += 1;
        return changes === 1 ? { code: 60204, message: "请输入正确的验证码" } : {};
      },
    });
    const { user } = renderDialog("rebuild");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    expect(screen.getByTestId("captcha-bar")).toHaveTextContent("验证通过");
    await user.type(password(), "secret1");
    await user.type(confirm(), "secret1");
    await user.type(code(), "123456{Enter}");
    expect(await screen.findByText("请输入正确的验证码")).toBeVisible();
    await waitFor(() => expect(submit()).toBeEnabled());
    await user.click(submit());
    expect(await screen.findByText("修改成功")).toBeVisible();
    const tickets = calls.filter((call) => call.form.nvcTicket).map((call) => call.form.nvcTicket);
    expect(tickets).toHaveLength(3);
    expect(new Set(tickets).size).toBe(1);
    expect(names(calls).filter((name) => name === "sliderChallenge")).toHaveLength(1);
  });

  it("marks the field whose check fails on submit", async () => {
    const { user } = renderDialog("rebuild");
    await user.click(submit());
    await expectOnly("请输入正确的手机号");
    expect(phone()).toHaveAttribute("aria-invalid", "true");
  });
});
