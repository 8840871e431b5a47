import { screen, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { setConfig } from "@/api/config";
import { personalEndpoints } from "@/calls/personal";
import { LOGIN_DAYS } from "@/facts/auth";
import { cookieText } from "@/lib/cookies";
import { holdBack } from "@/lib/later";
import { turn } from "@/lib/turn";
import type { AppDispatch } from "@/store";
import { deferred } from "@/test/deferred";
import { renderPage, startStore } from "@/test/render";
import { answer, names, tokenDatas } from "@/test/server";
import { testConfig } from "@/test/setup";
import { stomp } from "@/test/stomp";
import { enterSession, leaveSession, renewToken, syncSession } from "./actions";
import { readLoginId, readToken, writeLogin } from "./cookies";
import { loadUser } from "./loadUser";
import { loginAddress, safeReturnUrl } from "./returnUrl";
import { DEFAULT_NICKNAME, emptySession } from "./slice";
import { parseTokenReply, rememberExpiry, renewDelay } from "./token";

afterEach(() => {
  window.history.replaceState(null, "", "/");
});

const user = { token: "tok-1", loginId: "u1", expiresIn: 3600 };

describe("session", () => {
  it("lies in two cookies and in the store (SE001, SE002, SE005, SE006)", () => {
    answer({});
    const store = startStore();
    store.dispatch(enterSession(user));
    expect(document.cookie).toContain("authorization=tok-1");
    expect(document.cookie).toContain("loginId=u1");
    const { session } = store.getState();
    expect(Object.keys(session)).toEqual(Object.keys(emptySession));
    expect(session).toMatchObject({ loginId: "u1", authorization: "tok-1", loginstate: true });
    expect(session.nickname).toBe(DEFAULT_NICKNAME);
  });

  it("lives 15 days, across the configured domain (SE003, SE004, AM072)", () => {
    expect(LOGIN_DAYS).toBe(15);
    expect(cookieText("loginId", "u1", { days: LOGIN_DAYS, domain: ".xuanlan.test" }, true)).toBe(
      "loginId=u1; Path=/; Max-Age=1296000; SameSite=Lax; Domain=.xuanlan.test; Secure",
    );
  });

  it("loads what no page waits for after the page's first picture", async () => {
    answer({});
    startStore().dispatch(enterSession(user));
    const picture = deferred();
    void holdBack(picture.promise);
    const dispatch = vi.fn(async () => ({}));
    const loaded = loadUser(dispatch as unknown as AppDispatch, user.loginId);
    await turn();
    expect(dispatch).not.toHaveBeenCalled();
    picture.resolve();
    await loaded;
    expect(dispatch).toHaveBeenCalled();
  });

  it("loads account, statistics, user info and cart after a sign-in (SE007, SE008, SE009, SE010)", async () => {
    const calls = answer({
      queryInfo: { datas: { nickName: "林间", avatar: "/a.png", uploaderType: 2 } },
    });
    const store = startStore();
    store.dispatch(enterSession(user));
    await waitFor(() =>
      expect(names(calls)).toEqual(
        expect.arrayContaining([
          "accountInformation",
          "getPersonalStatisticsByUserId",
          "queryInfo",
          "getCartList",
        ]),
      ),
    );
    const cart = calls.find((call) => call.name === "getCartList");
    expect(cart?.form).toMatchObject({ userId: "u1", pageNo: "1", pageSize: "200" });
    await waitFor(() => expect(store.getState().session.nickname).toBe("林间"));
    expect(store.getState().session).toMatchObject({ avatar: "/a.png", uploaderType: 2 });
  });

  it("ends on the server, in the cookies and in the state (SE014, SE015)", async () => {
    const calls = answer({ queryInfo: { datas: { nickName: "林间" } } });
    const store = startStore();
    store.dispatch(enterSession(user));
    await waitFor(() => expect(store.getState().session.nickname).toBe("林间"));
    await store.dispatch(leaveSession());
    const logout = calls.find((call) => call.name === "logout");
    expect(logout?.headers.get("authorization")).toBe("Bearer tok-1");
    expect(readToken()).toBe("");
    expect(readLoginId()).toBe("");
    expect(store.getState().session).toEqual(emptySession);
    expect(personalEndpoints.queryInfo.select({})(store.getState()).data).toBeUndefined();
  });

  it("ends here also when the server cannot be reached", async () => {
    answer({ logout: "network error" });
    const store = startStore();
    store.dispatch(enterSession(user));
    await store.dispatch(leaveSession());
    expect(readToken()).toBe("");
    expect(store.getState().session.loginstate).toBe(false);
  });

  it("is over here before the server answers, which is still told (SE014, AV017)", async () => {
    const server = deferred();
    const calls = answer({
      logout: async () => {
        await server.promise;
        return {};
      },
    });
    const store = startStore();
    store.dispatch(enterSession(user));
    const told = store.dispatch(leaveSession());
    expect([readToken(), readLoginId()]).toEqual(["", ""]);
    expect(store.getState().session).toEqual(emptySession);
    await waitFor(() => expect(names(calls)).toContain("logout"));
    const logout = calls.find((call) => call.name === "logout");
    expect(logout?.headers.get("authorization")).toBe("Bearer tok-1");
    expect(logout?.form.userId).toBe("u1");
    server.resolve();
    await told;
  });

  it("of another account than the page shows is not ended", async () => {
    const calls = answer({});
    const store = startStore();
    store.dispatch(enterSession(user));
    writeLogin("tok-2", "u2");
    await store.dispatch(leaveSession());
    expect(readToken()).toBe("tok-2");
    expect(store.getState().session.loginId).toBe("u2");
    expect(names(calls)).not.toContain("logout");
  });

  it("follows the cookies (SE022)", () => {
    answer({});
    const store = startStore();
    writeLogin("tok-2", "u2");
    store.dispatch(syncSession());
    expect(store.getState().session.loginId).toBe("u2");
    // biome-ignore lint/suspicious/noDocumentCookie: like a user in the browser's own settings
    document.cookie = "authorization=; Max-Age=0; Path=/";
    store.dispatch(syncSession());
    expect(store.getState().session).toEqual(emptySession);
  });
});

describe("401", () => {
  const act = async (path: string) => {
    window.history.replaceState(null, "", path);
    answer({ getTheGuidePageReadingStatus: { code: 401, message: "token 已失效", status: 401 } });
    const page = renderPage(createElement("div"));
    page.store.dispatch(enterSession(user));
    await page.store.dispatch(personalEndpoints.getTheGuidePageReadingStatus.initiate({}));
    return page;
  };

  it("says 请登录 and clears the login state (SE016, SE017)", async () => {
    const { store } = await act("/");
    expect(await screen.findByText("请登录")).toBeVisible();
    expect(store.getState().session).toEqual(emptySession);
    await waitFor(() => expect(readToken()).toBe(""));
    expect(readLoginId()).toBe("");
  });

  it.each(["/workbench", "/workbench/myUpload?x=1", "/pricePage", "/publishCenter", "/message"])(
    "on %s sends to login with the return address (SE018, SE019)",
    async (path) => {
      const { visited } = await act(path);
      await waitFor(() => expect(visited).toEqual([`/login?returnURL=${encodeURIComponent(path)}`]));
    },
  );

  it.each(["/", "/news", "/transaction/search/chair", "/workbenchmark"])(
    "on %s stays (SE020)",
    async (path) => {
      const { visited } = await act(path);
      await screen.findByText("请登录");
      expect(visited).toEqual([]);
    },
  );

  it("says nothing about a token that was renewed in the meantime", async () => {
    answer({
      getTheGuidePageReadingStatus: () => {
        writeLogin("tok-2", "u1");
        return { code: 401, message: "x", status: 401 };
      },
    });
    const store = startStore();
    store.dispatch(enterSession(user));
    await store.dispatch(personalEndpoints.getTheGuidePageReadingStatus.initiate({}));
    expect(readToken()).toBe("tok-2");
    expect(store.getState().session.loginId).toBe("u1");
  });
});

describe("token", () => {
  it("is renewed, with the old one as the form's token (SE021)", async () => {
    const calls = answer({ token: { datas: tokenDatas("tok-2") } });
    const store = startStore();
    store.dispatch(enterSession(user));
    expect(await store.dispatch(renewToken())).toBe(true);
    const renewal = calls.find((call) => call.path === "/api-auth/oauth/refresh/token");
    expect(renewal?.form).toMatchObject({ accessToken: "tok-1", userId: "u1" });
    expect(renewal?.headers.get("authorization")).toBe("Bearer tok-1");
    expect(readToken()).toBe("tok-2");
    expect(store.getState().session.authorization).toBe("tok-2");
  });

  it("is renewed by itself before it expires", async () => {
    const calls = answer({ token: { datas: tokenDatas("tok-2") } });
    const store = startStore();
    // Less than the margin is left: the renewal is due at once.
    store.dispatch(enterSession({ ...user, expiresIn: 30 }));
    await waitFor(() => expect(readToken()).toBe("tok-2"));
    expect(names(calls).filter((name) => name === "token")).toHaveLength(1);
  });

  it("is due when a fifth of its life is left", () => {
    rememberExpiry(10_000, 1_000_000);
    expect(renewDelay(1_000_000)).toBe(8_000_000);
    expect(renewDelay(99_000_000)).toBe(0);
    localStorage.setItem("xuanlan.tokenExpiry", "{broken");
    expect(renewDelay()).toBeUndefined();
  });

  it("is read from the JSON text of datas, and from nothing else", () => {
    expect(parseTokenReply(tokenDatas("a", "u", 60))).toEqual({ token: "a", loginId: "u", expiresIn: 60 });
    for (const datas of [
      null,
      {},
      "",
      "{}",
      "[]",
      '{"access_token":"a"}',
      '{"access_token":1,"loginId":"u"}',
    ]) {
      expect(parseTokenReply(datas)).toBeUndefined();
    }
  });
});

describe("return address", () => {
  it.each([
    ["/workbench/myUpload?x=1#y", "/workbench/myUpload?x=1#y"],
    ["https://www.xuanlan.test/news?id=1", "/news?id=1"],
    ["https://evil.test/", "/"],
    ["//evil.test/x", "/"],
    ["/\\evil.test", "/"],
    ["https://www.xuanlan.test//evil.test", "/"],
    ["https://www.xuanlan.test@evil.test/", "/"],
    ["https://a:b@www.xuanlan.test/x", "/"],
    ["javascript:alert(1)", "/"],
    ["data:text/html,x", "/"],
    ["/login?returnURL=/login", "/"],
    [`/${"x".repeat(3000)}`, "/"],
    ["", "/"],
    [null, "/"],
  ])("%s becomes %s", (raw, safe) => {
    expect(safeReturnUrl(raw)).toBe(safe);
  });

  it("goes to the configured login system as a whole address", () => {
    expect(loginAddress("/workbench?a=1")).toEqual({
      href: "/login?returnURL=%2Fworkbench%3Fa%3D1",
      external: false,
    });
    setConfig({ ...testConfig, loginUrl: "https://login.xuanlan.test/in" });
    expect(loginAddress("/workbench")).toEqual({
      href: "https://login.xuanlan.test/in?returnURL=https%3A%2F%2Fwww.xuanlan.test%2Fworkbench",
      external: true,
    });
  });
});

describe("queue", () => {
  it("subscribes by login id, takes messages, comes back after a break (SE011, SE012, SE013, MS006)", async () => {
    answer({});
    const { heard, clients, push } = stomp();
    const store = startStore();
    store.dispatch(enterSession(user));
    await waitFor(() => expect(heard.some((frame) => frame.startsWith("SUBSCRIBE"))).toBe(true));
    expect(heard[0]).toContain("Authorization:Bearer tok-1");
    expect(heard.find((frame) => frame.startsWith("SUBSCRIBE"))).toContain("destination:/queue/u1");
    expect(store.getState().realtime.connected).toBe(true);

    push({ type: "MESSAGE", id: "m1" });
    await waitFor(() => expect(store.getState().session.hasUnreadMessage).toBe(true));
    expect(store.getState().session.webSocketData).toEqual({
      type: "MESSAGE",
      id: "m1",
      group: "",
      unread: null,
    });

    // An announcement that is over lights no dot.
    push({ type: "MESSAGE", id: "m2", unread: { total: 0, groups: {} } });
    await waitFor(() => expect(store.getState().session.hasUnreadMessage).toBe(false));
    push({ type: "MESSAGE", id: "", group: "announcement" });
    await waitFor(() => expect(store.getState().session.webSocketData).toMatchObject({ id: "" }));
    expect(store.getState().session.hasUnreadMessage).toBe(false);

    clients[0]?.close();
    await waitFor(() => expect(store.getState().realtime.connected).toBe(false));
    await waitFor(() => expect(clients).toHaveLength(2));
    await waitFor(() => expect(store.getState().realtime).toEqual({ connected: true, connections: 2 }));
    push({ type: "PAY_WECHAT", orderId: "o1", success: true });
    await waitFor(() =>
      expect(store.getState().session.webSocketData).toEqual({
        type: "PAY_WECHAT",
        orderId: "o1",
        success: true,
      }),
    );
    expect(vi.isFakeTimers()).toBe(false);
  });
});
