import { act, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useEffect, useState } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { setConfig } from "@/api/config";
import { sessionStore } from "@/lib/storage";
import { enterSession, syncSession } from "@/session/actions";
import { writeLogin } from "@/session/cookies";
import type { Errand } from "@/session/thirdParty";
import { useAppStore } from "@/store/hooks";
import { passing, renderDialog, renderPage, solveSlider } from "@/test/render";
import { answer, names, tokenDatas } from "@/test/server";
import { testConfig } from "@/test/setup";
import { AuthDialogHost } from "./AuthDialogHost";
import { keepStep, keptStep } from "./afterRegistration";
import { LoginPage } from "./LoginPage";

const KEY = "xuanlan.thirdParty";
const errand: Errand = {
  provider: "wechat",
  purpose: "login",
  verifier: "v".repeat(64),
  state: "s1",
  returnURL: "/workbench",
};

function Where() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

const openAt = (address: string, signedIn = false) => {
  if (signedIn) writeLogin("tok-1", "u1");
  return renderPage(
    <Synced>
      <MemoryRouter initialEntries={[address]}>
        <LoginPage />
        <Where />
      </MemoryRouter>
    </Synced>,
  );
};
const come = (query: string, provider = "wechat", signedIn = false) =>
  openAt(`/login?provider=${provider}&${query}`, signedIn);

/** Takes the login over from the cookies, as every page does before it is drawn. */
function Synced({ children }: { children: ReactNode }) {
  const store = useAppStore();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    store.dispatch(syncSession());
    setReady(true);
  }, [store]);
  return ready && children;
}

beforeEach(() => {
  sessionStore.set(KEY, JSON.stringify(errand));
});

describe("back from a provider", () => {
  it("somebody known is signed in and goes where they wanted (TP004)", async () => {
    let answerNow = () => {};
    const asked = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const calls = answer({
      callback: async () => {
        await asked;
        return { datas: { token: tokenDatas(), bindTicket: "" } };
      },
    });
    const { store } = come("code=c1&state=s1");
    expect(await screen.findByText("正在通过微信登录")).toBeVisible();
    answerNow();
    await waitFor(() => expect(store.getState().session.loginId).toBe("u1"));
    await waitFor(() => expect(screen.getByText("/workbench")).toBeVisible());
    const callback = calls.find(({ name }) => name === "callback");
    expect(callback?.form).toMatchObject({
      type: "wechat",
      code: "c1",
      state: "s1",
      verifier: errand.verifier,
    });
  });

  it("somebody new sees who they are, and binds a phone by ticket alone (TP008)", async () => {
    const shown = { openId: "o1", avatar: "data:image/jpeg;base64,AA==", nickname: "小明<b>" };
    const calls = answer({
      callback: { datas: { token: "", bindTicket: "ticket-1", ...shown } },
      relatedPhone: { datas: tokenDatas() },
      userIsExist: { datas: true },
    });
    const { store, user } = come("code=c1&state=s1");
    expect(await screen.findByRole("button", { name: "绑定并登录" })).toBeVisible();
    expect(screen.getByText("小明<b>")).toBeVisible();
    expect(store.getState().session).toMatchObject({
      openId: "o1",
      thirdPartyAvatar: shown.avatar,
      thirdPartyNickname: "小明<b>",
    });
    // The provider's answer is removed from the address.
    expect(screen.getByText("/login?returnURL=%2Fworkbench")).toBeVisible();
    await user.type(screen.getByLabelText("手机号"), "13800138000");
    await user.type(screen.getByLabelText("验证码"), "123456");
    await user.click(screen.getByRole("button", { name: "绑定并登录" }));
    // Nothing is sent before a code was requested.
    expect(await screen.findByText("请获取验证码")).toBeVisible();
    expect(names(calls)).not.toContain("relatedPhone");
  });

  it.each([
    ["a state of another window", "code=c1&state=s2", "第三方登录没有完成，请重新发起，或用短信、密码登录"],
    ["a refusal", "state=s1", "已取消微信登录"],
  ])("%s asks the server nothing", async (_what, query, message) => {
    const calls = answer({});
    come(query);
    expect(await screen.findByText(message)).toBeVisible();
    expect(names(calls)).toEqual([]);
  });

  it("what the server refuses leads back to the form", async () => {
    answer({ callback: { code: 60105, message: "第三方登录已失效，请重新发起" } });
    come("code=c1&state=s1");
    expect(await screen.findByText("第三方登录已失效，请重新发起")).toBeVisible();
    expect(await screen.findByRole("tab", { name: "短信登录" })).toBeVisible();
  });

  it.each(["wechat", "qq"] as const)(
    "an account with a second factor is asked for it after %s (TP004, TP005)",
    async (provider) => {
      sessionStore.set(KEY, JSON.stringify({ ...errand, provider }));
      let tickets = 0;
      const calls = answer({
        callback: ({ form }) => {
          if (form.totp === "123456") return { datas: { token: tokenDatas(), bindTicket: "" } };
          tickets += 1;
          const message = form.totp ? "动态验证码不正确" : "请输入动态验证码";
          return { code: 60206, message, datas: { factorTicket: `ticket-${tickets}` } };
        },
      });
      const { store, user } = come("code=c1&state=s1", provider);
      await user.type(await screen.findByLabelText("动态验证码"), "000000{Enter}");
      expect(await screen.findByText("动态验证码不正确")).toBeVisible();
      expect(screen.queryByText("请输入动态验证码")).toBeNull();
      await user.clear(screen.getByLabelText("动态验证码"));
      await user.type(screen.getByLabelText("动态验证码"), "123456{Enter}");
      await waitFor(() => expect(store.getState().session.loginId).toBe("u1"));
      expect(await screen.findByText("/workbench")).toBeVisible();
      const asked = calls.filter(({ name }) => name === "callback").map(({ form }) => form);
      expect(asked.map(({ type, totp, factorTicket }) => [type, totp, factorTicket])).toEqual([
        [provider, undefined, undefined],
        [provider, "000000", "ticket-1"],
        [provider, "123456", "ticket-2"],
      ]);
    },
  );

  it("who gives the second factor up is back at the forms, and stays there", async () => {
    answer({ callback: { code: 60206, message: "请输入动态验证码", datas: { factorTicket: "t" } } });
    const { user } = come("code=c1&state=s1");
    await screen.findByLabelText("动态验证码");
    await user.click(screen.getByRole("button", { name: "返回登录" }));
    await user.click(await screen.findByRole("button", { name: "免费注册" }));
    await user.click(await screen.findByRole("button", { name: "去登录" }));
    expect(await screen.findByRole("tab", { name: "短信登录" })).toBeVisible();
  });

  it("somebody new agrees like in any registration, and then sees its steps, also after a reload (AM015, AM088)", async () => {
    const calls = answer({
      ...passing,
      callback: { datas: { token: "", bindTicket: "ticket-1", openId: "o1", avatar: "", nickname: "小明" } },
      relatedPhone: { datas: tokenDatas() },
      userIsExist: { datas: true },
      sendSms: { datas: "key-1" },
    });
    const { user } = come("code=c1&state=s1");
    await user.type(await screen.findByLabelText("手机号"), "13800138000");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    await solveSlider(user);
    await screen.findByText("发送成功");
    await user.type(screen.getByLabelText("验证码"), "123456{Enter}");
    expect(await screen.findByText("请先阅读并同意会员服务协议与平台保密协议")).toBeVisible();
    expect(names(calls)).not.toContain("relatedPhone");
    await user.click(screen.getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "绑定并登录" }));
    await user.click(await screen.findByRole("button", { name: "跳过" }));
    expect(await screen.findByRole("heading", { name: "填写推广码" })).toBeVisible();
    expect(calls.find(({ name }) => name === "relatedPhone")?.form.bindTicket).toBe("ticket-1");
    expect(keptStep("u1")).toBe("promotion");
    expect(keptStep("u2")).toBeUndefined();
  });

  it("who comes back to a used answer while signed in leaves the page, without a word", async () => {
    sessionStore.remove(KEY);
    const calls = answer({});
    const { store } = come("code=c1&state=s1", "wechat", true);
    await waitFor(() => expect(screen.getByText("/")).toBeVisible());
    expect(store.getState().session.loginId).toBe("u1");
    expect(screen.queryByText(/第三方登录没有完成/)).toBeNull();
    expect(names(calls)).not.toContain("callback");
  });

  it("a link is made for whoever went to link", async () => {
    const link = { ...errand, purpose: "link", returnURL: "/workbench/account/accountManagement" };
    sessionStore.set(KEY, JSON.stringify(link));
    const calls = answer({ bindThirdPartyAccount: {} });
    come("code=c1&state=s1");
    expect(await screen.findByText("绑定成功")).toBeVisible();
    expect(await screen.findByText("/workbench/account/accountManagement")).toBeVisible();
    expect(names(calls)).toEqual(["bindThirdPartyAccount"]);
  });
});

describe("the login page", () => {
  it("is left when another tab signs in", async () => {
    answer({});
    const { store } = openAt("/login?returnURL=%2Fworkbench");
    await screen.findByRole("tab", { name: "短信登录" });
    act(() => {
      store.dispatch(enterSession({ token: "tok-1", loginId: "u1" }));
    });
    expect(await screen.findByText("/workbench")).toBeVisible();
  });

  it("goes on with the steps of a registration where it was reloaded, for the same user only", async () => {
    answer({});
    keepStep("promotion", "u1");
    openAt("/login", true);
    expect(await screen.findByRole("heading", { name: "填写推广码" })).toBeVisible();
  });

  it("does not ask for a phone to be bound to nobody's identity", async () => {
    openAt("/login?type=bindPhone");
    expect(await screen.findByRole("tab", { name: "短信登录" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "绑定并登录" })).toBeNull();
  });

  it("does not show one user's steps to another", async () => {
    answer({});
    keepStep("promotion", "u9");
    openAt("/login", true);
    expect(await screen.findByText("/")).toBeVisible();
  });
});

it("from the dialog one comes back to the page one was on", async () => {
  setConfig({ ...testConfig, wechatAppId: "wx-test" });
  window.history.replaceState(null, "", "/pricePage?x=1");
  onTestFinished(() => {
    setConfig(testConfig);
    window.history.replaceState(null, "", "/");
  });
  answer({ authorize: { datas: { url: "https://open.weixin.qq.com/connect", state: "s1" } } });
  const { user } = renderDialog("login");
  await user.click(screen.getByRole("button", { name: "微信登录" }));
  await waitFor(() => expect(sessionStore.get(KEY)).toContain('"state":"s1"'));
  expect(JSON.parse(sessionStore.get(KEY) ?? "")).toMatchObject({ returnURL: "/pricePage?x=1" });
});

it("a reload in the middle of a registration's steps opens the dialog again", async () => {
  answer({});
  keepStep("promotion", "u1");
  writeLogin("tok-1", "u1");
  renderPage(
    <Synced>
      <AuthDialogHost />
    </Synced>,
  );
  expect(await screen.findByRole("heading", { name: "填写推广码" })).toBeVisible();
});
