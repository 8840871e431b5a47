import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { passing, renderDialog, solveSlider } from "@/test/render";
import { answer, names, tokenDatas } from "@/test/server";
import { rememberCode, rememberedCode } from "./invitedCode";

const phone = () => screen.getByLabelText("手机号");
const password = () => screen.getByLabelText("密码");
const code = () => screen.getByLabelText("验证码");
const submit = () => screen.getByRole("button", { name: "注册" });

describe("registration form", () => {
  it("has phone, password, code and profession, and no more but the consent (RG002, AM015)", () => {
    renderDialog("register");
    expect(screen.getAllByRole("textbox")).toEqual([phone(), code()]);
    expect(screen.getAllByRole("combobox")).toHaveLength(1);
    expect(screen.getAllByRole("checkbox")).toHaveLength(1);
    for (const field of [phone(), password(), code(), screen.getByRole("combobox", { name: /职业/ })]) {
      expect(field).toBeVisible();
    }
  });

  it("offers exactly the four professions (RG003)", async () => {
    const { user } = renderDialog("register");
    await user.click(screen.getByRole("combobox", { name: /职业/ }));
    const options = within(screen.getByRole("listbox")).getAllByRole("option");
    expect(options.map((option) => option.getAttribute("data-value"))).toEqual([
      "appdeveloper",
      "modeler",
      "designer",
      "other",
    ]);
  });

  it("tells what is missing (RG005, RG006, RG008, RG010)", async () => {
    const { user } = renderDialog("register");
    await user.click(submit());
    expect(await screen.findByText("请输入手机号")).toBeVisible();
    expect(screen.getByText("请输入密码")).toBeVisible();
    expect(screen.getByText("请获取验证码")).toBeVisible();
    expect(screen.getByText("请先阅读并同意会员服务协议与平台保密协议")).toBeVisible();
    await user.type(phone(), "12800138000");
    await user.type(password(), "12345");
    expect(await screen.findByText("请输入正确的手机号")).toBeVisible();
    expect(await screen.findByText("请输入6~16位字符的密码")).toBeVisible();
  });

  it("keeps what the fields may hold (RG009, RG011, RG013)", async () => {
    const { user } = renderDialog("register");
    await user.click(phone());
    await user.paste("138-00138000999");
    expect(phone()).toHaveValue("13800138000");
    await user.click(password());
    await user.paste("p".repeat(20));
    expect(password()).toHaveValue("p".repeat(16));
    await user.type(code(), "12a345678");
    expect(code()).toHaveValue("123456");
  });

  it("refuses an existing user without an SMS (RG004)", async () => {
    const calls = answer({ userIsExist: { datas: false } });
    const { user } = renderDialog("register");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("用户已存在")).toBeVisible();
    expect(names(calls)).toEqual(["userIsExist"]);
  });

  it("registers, signs in and asks for the promotion code (RG001, RG007, RG012, AM010, AM014, AM016)", async () => {
    const calls = answer({
      ...passing,
      userIsExist: { datas: true },
      sendSms: { datas: "key-1" },
      registerPhone: { datas: tokenDatas() },
    });
    const { user, store } = renderDialog("register");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    expect(calls.find((call) => call.name === "sendSms")?.form.type).toBe("register");
    await user.type(password(), "secret1");
    await user.click(screen.getByRole("checkbox"));
    await user.click(submit());
    expect(await screen.findByText("请输入验证码")).toBeVisible();
    (code() as HTMLInputElement).value = "12ab";
    await user.click(submit());
    expect(await screen.findByText("请输入正确的验证码")).toBeVisible();
    await user.clear(code());
    await user.type(code(), "123456");
    await user.click(screen.getByRole("combobox", { name: /职业/ }));
    await user.click(screen.getByRole("option", { name: "模型师" }));
    await user.type(code(), "{Enter}");
    await screen.findByRole("heading", { name: "您关注什么" });
    await user.click(screen.getByRole("button", { name: "跳过" }));
    await screen.findByRole("heading", { name: "填写推广码" });
    expect(calls.find((call) => call.name === "registerPhone")?.form).toMatchObject({
      phoneno: "13800138000",
      verifycode: "123456",
      password: "secret1",
      smsKey: "key-1",
      professionCode: "modeler",
    });
    expect(store.getState().session.loginId).toBe("u1");
  });

  it("links the agreements", () => {
    renderDialog("register");
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toEqual(["/agreement", "/secrecy"]);
  });
});

describe("interest and purpose", () => {
  it("can be left out, and asks the server nothing then (AM088)", async () => {
    const calls = answer({});
    const { user } = renderDialog("interest");
    expect(screen.getByRole("button", { name: "下一步" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "跳过" }));
    await screen.findByRole("heading", { name: "填写推广码" });
    expect(names(calls)).toEqual([]);
  });

  it("are kept, any of the first and one of the second (AM088)", async () => {
    const calls = answer({ setInterestAndRegisterPurpose: {} });
    const { user } = renderDialog("interest");
    for (const name of ["3D 打印", "工业设计", "游戏", "游戏"])
      await user.click(screen.getByRole("checkbox", { name }));
    await user.click(screen.getByRole("checkbox", { name: "学习研究" }));
    await user.click(screen.getByRole("checkbox", { name: "工作需要" }));
    expect(screen.getByRole("checkbox", { name: "学习研究" })).not.toBeChecked();
    await user.click(screen.getByRole("button", { name: "下一步" }));
    await screen.findByRole("heading", { name: "填写推广码" });
    expect(calls.map(({ name, form }) => [name, form.interest, form.registerPurpose])).toEqual([
      ["setInterestAndRegisterPurpose", "design,print", "work"],
    ]);
  });
});

describe("promotion code", () => {
  const signIn = (page: ReturnType<typeof renderDialog>) =>
    page.store.dispatch({ type: "session/signedIn", payload: { token: "t", loginId: "u1" } });
  const field = () => screen.getByLabelText("推广码");

  it("has one field, Confirm and Skip (IN001, IN002, IN003)", async () => {
    const calls = answer({});
    const { user } = renderDialog("promotion");
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual(["跳过", "确认"]);
    await user.click(screen.getByRole("button", { name: "确认" }));
    expect(await screen.findByText("请填写推广码")).toBeVisible();
    await user.click(field());
    await user.paste("123456789012345");
    expect(field()).toHaveValue("12345678901");
    expect(names(calls)).not.toContain("saveInvitedCode");
  });

  it("saves the code, asks for the popup settings and goes home on status 0 (IN004, IN006, IN008, AM003)", async () => {
    const calls = answer({ saveInvitedCode: { code: 200 }, getPopupSettings: { datas: { status: "0" } } });
    const page = renderDialog("promotion");
    signIn(page);
    localStorage.setItem("xuanlan.device", "k".repeat(43));
    await page.user.type(field(), "ABC123");
    await page.user.click(screen.getByRole("button", { name: "确认" }));
    await waitFor(() => expect(page.visited).toEqual(["/"]));
    const own = calls.filter((call) => ["saveInvitedCode", "getPopupSettings"].includes(call.name));
    expect(names(own)).toEqual(["saveInvitedCode", "getPopupSettings"]);
    expect(own[0]?.form).toMatchObject({ uid: "u1", invitedcode: "ABC123", device: "k".repeat(43) });
    expect(own[0]?.form.userId).toBeUndefined();
  });

  it("leads home on status 0 wherever the sign-in began (IN008)", async () => {
    answer({ getPopupSettings: { datas: { status: "0" } } });
    const { user, visited } = renderDialog("promotion", { returnURL: "/extension?code=A1B2C3D4" });
    await user.click(screen.getByRole("button", { name: "跳过" }));
    await waitFor(() => expect(visited).toEqual(["/"]));
  });

  it("is left by Confirm and Skip alone (IN001, IN009)", async () => {
    const { user, store } = renderDialog("promotion");
    await user.type(field(), "{Escape}");
    expect(store.getState().authDialog.open).toBe(true);
    expect(field()).toBeVisible();
  });

  it("is filled with the code of an invitation link until that is entered", async () => {
    rememberCode("A1B2C3D4");
    answer({
      saveInvitedCode: ({ form }) =>
        form.invitedcode === "A1B2C3D4" ? { code: 200 } : { code: 60300, message: "推广码不存在" },
    });
    const { user, visited } = renderDialog("promotion");
    expect(field()).toHaveValue("A1B2C3D4");
    await user.type(field(), "5");
    await user.click(screen.getByRole("button", { name: "确认" }));
    expect(await screen.findByText("推广码不存在")).toBeVisible();
    expect(rememberedCode()).toBe("A1B2C3D4");
    await user.type(field(), "{Backspace}{Enter}");
    await waitFor(() => expect(visited).toEqual(["/"]));
    expect(rememberedCode()).toBe("");
  });

  it("stays and greets on status 1 (IN007)", async () => {
    answer({ saveInvitedCode: { code: 200 }, getPopupSettings: { datas: { status: "1" } } });
    const { user, visited } = renderDialog("promotion");
    await user.type(field(), "ABC123{Enter}");
    await screen.findByRole("heading", { name: "账号已经建好" });
    expect(visited).toEqual([]);
  });

  it("skips without saving (IN009)", async () => {
    const calls = answer({ getPopupSettings: { datas: { status: "0" } } });
    const { user, visited } = renderDialog("promotion");
    await user.click(screen.getByRole("button", { name: "跳过" }));
    await waitFor(() => expect(visited).toEqual(["/"]));
    expect(names(calls)).toEqual(["getPopupSettings"]);
  });

  it("shows the server's refusal and stays (IN010)", async () => {
    const calls = answer({ saveInvitedCode: { code: 60300, message: "推广码不存在" } });
    const { user } = renderDialog("promotion");
    await user.type(field(), "NOPE{Enter}");
    expect(await screen.findByText("推广码不存在")).toBeVisible();
    expect(field()).toBeVisible();
    expect(names(calls)).not.toContain("getPopupSettings");
  });
});
