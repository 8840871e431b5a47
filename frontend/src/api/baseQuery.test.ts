import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { authEndpoints } from "@/calls/auth";
import { personalEndpoints } from "@/calls/personal";

import { enterSession } from "@/session/actions";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { answer, names, server } from "@/test/server";
import { serverNow } from "./baseQuery";
import { callPolicies } from "./generated/policies";
import { prepare, toPairs } from "./prepare";

const start = () => renderPage(createElement("div"));
const ask = (store: ReturnType<typeof start>["store"]) =>
  store.dispatch(authEndpoints.userIsExist.initiate({ username: "13800138000" }, { track: false }));
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
const alerts = () => screen.queryAllByRole("alert").map((alert) => alert.textContent);

describe("envelope", () => {
  it.each([60000, 60212, 60110])(
    "takes %i as success and unwraps datas (ER001 to ER004, AM002)",
    async (code) => {
      answer({ userIsExist: { code, message: "订单已创建", datas: true } });
      const result = await ask(start().store);
      expect(result.data).toBe(true);
      await settle();
      expect(alerts()).toEqual([]);
    },
  );

  it("shows the message of any other code (ER005)", async () => {
    answer({ userIsExist: { code: 60999, message: "系统繁忙" } });
    const result = await ask(start().store);
    expect(result.error).toMatchObject({ kind: "business", code: 60999, message: "系统繁忙" });
    expect(await screen.findByText("系统繁忙")).toBeVisible();
  });

  it("stays silent when the message speaks of success (ER006)", async () => {
    answer({ userIsExist: { code: 60999, message: "操作成功" } });
    const result = await ask(start().store);
    expect(result.error).toBeDefined();
    await settle();
    expect(alerts()).toEqual([]);
  });

  it("takes 0 as success for the statistics (ER008, AM004)", async () => {
    answer({ getPersonalStatisticsByUserId: { code: 0, message: "", datas: { myModels: {} } } });
    const { store } = start();
    const result = await store.dispatch(personalEndpoints.getPersonalStatisticsByUserId.initiate({}));
    expect(result.data).toEqual({ myModels: {} });
  });

  it("removes a toast after 2000 ms (ER007)", async () => {
    answer({ userIsExist: { code: 60999, message: "系统繁忙" } });
    await ask(start().store);
    const toast = await screen.findByText("系统繁忙");
    await waitFor(() => expect(toast).not.toBeInTheDocument());
  });

  it("tells of a service that is not open, but not for a load in the background", async () => {
    answer({ userIsExist: { code: 60404, message: "该服务尚未开放" } });
    const { store } = start();
    await store.dispatch(personalEndpoints.queryInfo.initiate({}));
    await settle();
    expect(alerts()).toEqual([]);
    await ask(store);
    expect(await screen.findByText("该服务尚未开放")).toBeVisible();
  });

  it("tells of a network that is down, and of an answer it cannot read", async () => {
    answer({ userIsExist: "network error" });
    const { store } = start();
    expect((await ask(store)).error).toMatchObject({ kind: "network" });
    expect(await screen.findByText("网络连接失败，请检查网络后重试")).toBeVisible();
    server.use(http.post(/userIsExist/, () => new HttpResponse("<html>", { status: 502 })));
    expect((await ask(store)).error).toMatchObject({ kind: "http", status: 502 });
    expect(await screen.findByText("服务暂时没有应答（502），请稍后再试")).toBeVisible();
  });

  it("shows what the gateway says with a status of its own", async () => {
    answer({ userIsExist: { code: 60429, message: "请求过于频繁，请稍后再试", status: 429 } });
    expect((await ask(start().store)).error).toMatchObject({ kind: "http", status: 429, code: 60429 });
    expect(await screen.findByText("请求过于频繁，请稍后再试")).toBeVisible();
  });
});

describe("request", () => {
  it("carries the client's headers, the bearer token, userId and one D (SF001, SF002, SF004, SF006)", async () => {
    const calls = answer({ queryInfo: { datas: { nickName: "a" } } });
    const { store } = start();
    writeLogin("tok-9", "u9");
    await store.dispatch(personalEndpoints.queryInfo.initiate({}));
    const [call] = calls;
    expect(call?.headers.get("client-id")).toBe("web");
    expect(call?.headers.get("client-secret")).toBe("test-secret-not-for-production");
    expect(call?.headers.get("authorization")).toBe("Bearer tok-9");
    expect(call?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(call?.form.userId).toBe("u9");
    expect(call?.form.D).toMatch(/^1\.k1\.[\w-]+$/);
    expect((call?.form.D ?? "").length).toBeLessThanOrEqual(512);
  });

  it("leaves userId out of calls whose form has no such field (SF005)", async () => {
    const calls = answer({ userIsExist: { datas: true } });
    const { store } = start();
    writeLogin("tok-9", "u9");
    await ask(store);
    expect(callPolicies["/api-auth/thirdPartLogin/public/userIsExist"]).toEqual({
      kind: "form",
      userId: false,
      tokenEndpoint: false,
    });
    expect(calls[0]?.form.userId).toBeUndefined();
  });

  it("sends no bearer token to the token endpoint (SF003)", async () => {
    const calls = answer({ token: { code: 60999, message: "x" } });
    const { store } = start();
    writeLogin("tok-9", "u9");
    await store.dispatch(authEndpoints.token.initiate({ username: "a", password: "b" }));
    expect(calls[0]?.headers.get("authorization")).toBeNull();
    const tokenEndpoints = Object.entries(callPolicies).filter(([, policy]) => policy.tokenEndpoint);
    expect(tokenEndpoints.map(([path]) => path).sort()).toEqual([
      "/api-auth/oauth/user/loginByphone",
      "/api-auth/oauth/user/registerPhone",
      "/api-auth/oauth/user/relatedPhone",
      "/api-auth/oauth/user/token",
      "/api-auth/thirdPartLogin/public/callback",
    ]);
  });

  it("signs a GET by a D in its query, and JSON by its header (SF007, SF008)", () => {
    writeLogin("tok-9", "u9");
    const address = "/api-personal/laozi/v3/personalInfo/queryInfo";
    const get = prepare({ url: address, method: "GET", params: { userId: "u9" } }, {}, Date.now());
    expect(get.init.body).toBeUndefined();
    const query = new URL(get.url, "https://xuanlan.test").searchParams;
    expect(query.get("userId")).toBe("u9");
    expect(query.getAll("D")).toEqual([expect.stringMatching(/^1\.k1\.[\w-]+$/)]);
    const json = prepare({ url: address, body: { userId: "u9" } }, { isJson: true }, Date.now());
    expect(json.init.body).toBe('{"userId":"u9"}');
    expect(new Headers(json.init.headers).get("md5")).toMatch(/\S/);
  });

  it("learns the server's clock from a stale timestamp and tries exactly once more", async () => {
    const serverTime = Date.now() + 3_600_000;
    let asked = 0;
    const calls = answer({
      userIsExist: () => {
        asked += 1;
        return asked === 1
          ? { code: 60401, message: "请求已过期", datas: { serverTime }, status: 400 }
          : { datas: false };
      },
    });
    const { store } = start();
    expect((await ask(store)).data).toBe(false);
    expect(calls).toHaveLength(2);
    expect(Math.abs(serverNow() - serverTime)).toBeLessThan(60_000);
    expect(alerts()).toEqual([]);
  });

  it("gives up after the second refusal", async () => {
    const calls = answer({
      userIsExist: () => ({
        code: 60401,
        message: "请求已过期",
        datas: { serverTime: Date.now() },
        status: 400,
      }),
    });
    expect((await ask(start().store)).error).toMatchObject({ code: 60401 });
    expect(calls).toHaveLength(2);
    expect(await screen.findByText("请求已过期")).toBeVisible();
  });

  it("sends nothing for another account than the page's, also of several calls at once, and says so once", async () => {
    const calls = answer({});
    const { store } = start();
    store.dispatch(enterSession({ token: "tok-1", loginId: "u1" }));
    const write = () => store.dispatch(authEndpoints.setInterestAndRegisterPurpose.initiate({}));
    const made = [write(), write()];
    writeLogin("tok-2", "u2");
    for (const { error } of await Promise.all(made)) expect(error).toBeDefined();
    expect(store.getState().session).toMatchObject({ loginId: "u2", authorization: "tok-2" });
    await screen.findByText(/已在另一个窗口换了账号/);
    expect(alerts()).toHaveLength(1);
    expect(names(calls)).not.toContain("setInterestAndRegisterPurpose");
  });

  it("writes forms as the canonical form expects them", () => {
    expect(toPairs({ a: 1, b: "", c: undefined, d: null, e: [1, 2], f: { x: 1 }, g: false })).toEqual([
      ["a", "1"],
      ["b", ""],
      ["e", "1"],
      ["e", "2"],
      ["f", '{"x":1}'],
      ["g", "false"],
    ]);
  });
});
