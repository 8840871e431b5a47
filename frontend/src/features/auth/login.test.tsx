import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it, onTestFinished } from "vitest";
import { setConfig } from "@/api/config";
import { ended } from "@/session/ended";
import { passing, renderDialog, renderPage, solveSlider } from "@/test/render";
import { answer, names, tokenDatas } from "@/test/server";
import { testConfig } from "@/test/setup";
import { standIn } from "@/test/standIn";
import { LoginPage } from "./LoginPage";

const phone = () => screen.getByLabelText("手机号");
const code = () => screen.getByLabelText("验证码");
const account = () => screen.getByLabelText("手机号或邮箱");
const password = () => screen.getByLabelText("密码");
const submit = () => screen.getByRole("button", { name: "登录" });

async function openPasswordTab() {
  const page = renderDialog("login");
  await page.user.click(screen.getByRole("tab", { name: "密码登录" }));
  return page;
}

describe("login dialog", () => {
  it("has exactly two tabs, each with its own form, and the hint to register (SI001, SI002)", async () => {
    const { user } = renderDialog("login");
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["短信登录", "密码登录"]);
    expect(phone()).toBeVisible();
    expect(screen.getByText(/没有账号，/)).toBeVisible();
    await user.click(screen.getByRole("tab", { name: "密码登录" }));
    expect(account()).toBeVisible();
    expect(screen.queryByLabelText("手机号")).toBeNull();
  });

  it("turns to recovery and to registration by its links (SI003, SI004, SI005)", async () => {
    const { user, store } = renderDialog("login");
    await user.click(screen.getByRole("button", { name: "忘记密码" }));
    expect(store.getState().authDialog.step).toBe("rebuild");
    expect(screen.getByRole("heading", { name: "找回密码" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "返回登录" }));
    await user.click(screen.getByRole("button", { name: "免费注册" }));
    expect(screen.getByRole("heading", { name: "注册玄览云账号" })).toBeVisible();
  });

  it("shows the icons of the social providers, of those that are set up (TP001)", () => {
    setConfig({ ...testConfig, wechatAppId: "wx-test", qqAppId: "qq-test" });
    onTestFinished(() => void setConfig(testConfig));
    renderDialog("login");
    expect(screen.getByRole("button", { name: "微信登录" })).toBeVisible();
    expect(screen.getByRole("button", { name: "QQ登录" })).toBeVisible();
  });

  it("shows no icon of a provider that is not set up", () => {
    renderDialog("login");
    expect(screen.queryByRole("button", { name: "微信登录" })).toBeNull();
    expect(screen.queryByText("其他登录方式")).toBeNull();
  });

  it("has a bindPhone form (SI005)", () => {
    renderDialog("bindPhone");
    expect(screen.getByRole("button", { name: "绑定并登录" })).toBeVisible();
  });
});

describe("login page", () => {
  const open = () =>
    renderPage(
      <MemoryRouter initialEntries={["/login"]}>
        <LoginPage />
      </MemoryRouter>,
    );

  it("goes on at the heading of the next form, whose link is gone", async () => {
    const { user } = open();
    const link = screen.getByRole("button", { name: "忘记密码" });
    link.focus();
    await user.keyboard("{Enter}");
    expect(screen.getByRole("heading", { name: "找回密码" })).toHaveFocus();
    await user.tab();
    expect(phone()).toHaveFocus();
  });

  it("says why one is here when the login was ended elsewhere, and only then", async () => {
    ended.mark();
    const { user } = open();
    expect(screen.getByRole("status")).toHaveTextContent("登录已失效，请重新登录");
    await user.click(screen.getByRole("button", { name: "忘记密码" }));
    expect(screen.queryByText("登录已失效，请重新登录")).toBeNull();
    cleanup();
    open();
    expect(screen.queryByText("登录已失效，请重新登录")).toBeNull();
  });
});

describe("password tab", () => {
  it("tells the empty fields (SI008, SI013)", async () => {
    const { user } = await openPasswordTab();
    await user.click(submit());
    expect(await screen.findByText("请输入手机号或者邮箱")).toBeVisible();
    expect(screen.getByText("请输入密码")).toBeVisible();
  });

  it.each([
    ["a@", "请输入正确的邮箱"],
    ["1380013800", "请输入正确的手机号"],
    ["12800138000", "请输入正确的手机号"],
    ["23800138000", "请输入正确的手机号"],
  ])("refuses the account %s (SI009, SI010, AM001)", async (value, message) => {
    const { user } = await openPasswordTab();
    await user.type(account(), value);
    await user.click(submit());
    expect(await screen.findByText(message)).toBeVisible();
  });

  it("holds 32 characters, and no Chinese ones (SI011, SI012)", async () => {
    const { user } = await openPasswordTab();
    await user.click(account());
    await user.paste("x".repeat(40));
    expect(account()).toHaveValue("x".repeat(32));
    await user.clear(account());
    await user.paste("中文a@b.cn");
    expect(account()).toHaveValue("a@b.cn");
  });

  it("wants 6 to 16 characters of password (SI014, SI015)", async () => {
    const { user } = await openPasswordTab();
    await user.type(password(), "12345");
    await user.click(submit());
    expect(await screen.findByText("请输入6~16位字符的密码")).toBeVisible();
    await user.clear(password());
    await user.click(password());
    await user.paste("p".repeat(20));
    expect(password()).toHaveValue("p".repeat(16));
  });

  it.each(["13800138000", "a@b.cn"])(
    "signs in %s by Enter after the slider, with its ticket (SI006, SI007, SI025, SI028, SI033, SL001)",
    async (name) => {
      const calls = answer({ ...passing, token: { datas: tokenDatas() } });
      const { user, store } = await openPasswordTab();
      await user.type(account(), name);
      await user.type(password(), "secret1{Enter}");
      await screen.findByRole("slider");
      expect(names(calls)).not.toContain("token");
      await solveSlider(user);
      expect(await screen.findByText("登录成功")).toBeVisible();
      const token = calls.find((call) => call.name === "token");
      expect(token?.form).toMatchObject({ username: name, password: "secret1" });
      expect(token?.form.nvcTicket).toMatch(/^challenge-/);
      expect(token?.headers.get("authorization")).toBeNull();
      expect(store.getState().session.loginId).toBe("u1");
      expect(store.getState().authDialog.open).toBe(false);
    },
  );

  it.each([100, 200])("goes on without the slider on %i (SL004, SL005)", async (code) => {
    const calls = answer({ getAliyunAcs: { datas: code }, token: { datas: tokenDatas() } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(names(calls).slice(0, 2)).toEqual(["getAliyunAcs", "token"]);
    expect(JSON.parse(calls[0]?.form.nvcdata ?? "")).toMatchObject({
      scene: "password",
      account: "13800138000",
    });
  });

  it.each([400, 800, 900])(
    "shows the slider on %i, and the login waits (SL006, SL007, SL008)",
    async (code) => {
      const calls = answer({ ...passing, getAliyunAcs: { datas: code }, token: { datas: tokenDatas() } });
      const { user } = await openPasswordTab();
      await user.type(account(), "13800138000");
      await user.type(password(), "secret1{Enter}");
      await screen.findByRole("slider");
      expect(names(calls)).toEqual(["getAliyunAcs", "sliderChallenge"]);
    },
  );

  it("shows the other check on 600, and the login waits (SL009)", async () => {
    const calls = answer({ ...passing, getAliyunAcs: { datas: 600 }, token: { datas: tokenDatas() } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    await screen.findByTestId("scratch-cover");
    expect(names(calls)).not.toContain("token");
  });

  it("shows the slider where it became necessary in the meantime", async () => {
    let asked = 0;
    const calls = answer({
      ...passing,
      getAliyunAcs: { datas: 100 },
      token: () => {
        asked += 1;
        return asked === 1 ? { code: 60201, message: "请进行智能验证" } : { datas: tokenDatas() };
      },
    });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    await solveSlider(user);
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(calls.filter((call) => call.name === "token")[1]?.form.nvcTicket).toMatch(/^challenge-/);
  });

  it("tells how long to wait before anybody solves a puzzle", async () => {
    const message = "密码错误次数过多，请12分钟后再试，或使用短信登录";
    const calls = answer({ ...passing, getAliyunAcs: { code: 60203, message } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    expect(await screen.findByText(message)).toBeVisible();
    expect(names(calls)).toEqual(["getAliyunAcs"]);
  });

  const withDevice = JSON.stringify({ ...JSON.parse(tokenDatas()), device: "key-of-device" });

  it("keeps the key of this device", async () => {
    const calls = answer({ ...passing, getAliyunAcs: { datas: 100 }, token: { datas: withDevice } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(calls.find((call) => call.name === "token")?.form.device).toBeFalsy();
    expect(localStorage.getItem("xuanlan.device")).toBe("key-of-device");
  });

  it("sends the key of this device, also when it asks for the slider", async () => {
    localStorage.setItem("xuanlan.device", "key-of-device");
    const calls = answer({ ...passing, getAliyunAcs: { datas: 100 }, token: { datas: tokenDatas() } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(JSON.parse(calls[0]?.form.nvcdata ?? "")).toMatchObject({ device: "key-of-device" });
    expect(calls.find((call) => call.name === "token")?.form.device).toBe("key-of-device");
  });

  it("shows the register hint and the message on 60200 (SI030)", async () => {
    answer({ ...passing, token: { code: 60200, message: "账号未注册" } });
    const { user, store } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    await solveSlider(user);
    expect(await screen.findByText("账号未注册")).toBeVisible();
    expect(await screen.findByText(/该账号尚未注册，/)).toBeVisible();
    // It is about this account and no other.
    await user.type(account(), "{Backspace}");
    expect(screen.queryByText(/该账号尚未注册，/)).toBeNull();
    await user.type(account(), "0");
    await user.click(
      within(await screen.findByText(/该账号尚未注册，/)).getByRole("button", { name: "去注册" }),
    );
    expect(store.getState().authDialog).toMatchObject({ step: "register", phone: "13800138000" });
  });

  it("resets the slider and its flag on 60201 (SI031, SI032)", async () => {
    const calls = answer({ ...passing, token: { code: 60201, message: "账号或密码错误" } });
    const { user } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1");
    await user.click(screen.getByTestId("captcha-bar"));
    await solveSlider(user);
    await waitFor(() => expect(screen.getByTestId("captcha-bar")).toHaveTextContent("验证通过"));
    await user.click(submit());
    expect(await screen.findByText("账号或密码错误")).toBeVisible();
    expect(screen.getByTestId("captcha-bar")).toHaveTextContent("点击完成智能验证");
    await user.click(submit());
    await screen.findByRole("slider");
    expect(names(calls).filter((name) => name === "token")).toHaveLength(1);
  });

  it("returns to where the visitor came from (LY008)", async () => {
    answer({ ...passing, token: { datas: tokenDatas() } });
    const { user, visited } = renderDialog("login", { returnURL: "/workbench/myUpload?x=1" });
    await user.click(screen.getByRole("tab", { name: "密码登录" }));
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    await solveSlider(user);
    await waitFor(() => expect(visited).toEqual(["/workbench/myUpload?x=1"]));
  });

  it("says why nobody can be signed in where the browser keeps no cookies", async () => {
    standIn(document, "cookie", "");
    answer({ getAliyunAcs: { datas: 100 }, token: { datas: tokenDatas() } });
    const { user, store } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    expect(await screen.findByText(/浏览器没有保存 Cookie/)).toBeVisible();
    expect(screen.queryByText("登录成功")).toBeNull();
    expect(store.getState().session.loginId).toBe("");
  });

  it("refuses a token answer it cannot read", async () => {
    answer({ ...passing, token: { datas: "not json" } });
    const { user, store } = await openPasswordTab();
    await user.type(account(), "13800138000");
    await user.type(password(), "secret1{Enter}");
    await solveSlider(user);
    expect(await screen.findByText("登录没有完成，请重新登录")).toBeVisible();
    expect(store.getState().session.loginstate).toBe(false);
  });
});

describe("SMS tab", () => {
  it("tells an empty and a wrong phone, and a code that was not requested (SI016, SI017, SI024)", async () => {
    const { user } = renderDialog("login");
    await user.click(submit());
    expect(await screen.findByText("请输入手机号")).toBeVisible();
    await user.type(phone(), "12800138000");
    expect(await screen.findByText("请输入正确的手机号")).toBeVisible();
    await user.clear(phone());
    await user.type(phone(), "13800138000");
    await user.type(code(), "123456");
    await user.click(submit());
    expect(await screen.findByText("请获取验证码")).toBeVisible();
  });

  it("keeps 11 digits of phone and 6 of code (SI018, SI019, SI022, SI023)", async () => {
    const { user } = renderDialog("login");
    await user.click(phone());
    await user.paste("138-0013a8000999");
    expect(phone()).toHaveValue("13800138000");
    await user.type(code(), "12a34");
    expect(code()).toHaveValue("1234");
    await user.clear(code());
    await user.type(code(), "12345678");
    expect(code()).toHaveValue("123456");
  });

  it("takes an unknown number to registration without an SMS (SI026)", async () => {
    const calls = answer({ userIsExist: { datas: true } });
    const { user, store } = renderDialog("login");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await screen.findByRole("heading", { name: "注册玄览云账号" });
    expect(store.getState().authDialog.phone).toBe("13800138000");
    expect(phone()).toHaveValue("13800138000");
    expect(names(calls)).toEqual(["userIsExist"]);
  });

  it("signs in with the code and the key of the SMS (SI020, SI021, SI025, SI033, SM010)", async () => {
    const calls = answer({
      ...passing,
      userIsExist: { datas: false },
      sendSms: { datas: "key-1" },
      loginByphone: { datas: tokenDatas() },
    });
    const { user, store } = renderDialog("login");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    expect(await screen.findByText("发送成功")).toBeVisible();
    expect(store.getState().session.smsKey).toBe("key-1");

    await user.click(submit());
    expect(await screen.findByText("请输入验证码")).toBeVisible();
    // Bypasses the cleaning, as a script would.
    (code() as HTMLInputElement).value = "12ab";
    await user.click(submit());
    expect(await screen.findByText("请输入正确的验证码")).toBeVisible();

    await user.clear(code());
    await user.type(code(), "123456{Enter}");
    expect(await screen.findByText("登录成功")).toBeVisible();
    expect(calls.find((call) => call.name === "loginByphone")?.form).toMatchObject({
      phoneno: "13800138000",
      verifycode: "123456",
      smsKey: "key-1",
    });
  });

  it("does not use the key of another number", async () => {
    answer({ ...passing, userIsExist: { datas: false }, sendSms: { datas: "key-1" } });
    const { user } = renderDialog("login");
    await user.type(phone(), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    await user.clear(phone());
    await user.type(phone(), "13900139000");
    await user.type(code(), "123456{Enter}");
    expect(await screen.findByText("请获取验证码")).toBeVisible();
  });
});
