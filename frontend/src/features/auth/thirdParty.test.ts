import { describe, expect, it } from "vitest";
import { getConfig } from "@/api";
import { setConfig } from "@/api/config";
import { testConfig } from "@/test/setup";
import { authorizeAddress, claimState } from "./thirdParty";

describe("social providers", () => {
  it("have no address without an app id", () => {
    expect(authorizeAddress("wechat", getConfig(), "")).toBeUndefined();
    expect(authorizeAddress("qq", getConfig(), "")).toBeUndefined();
  });

  it("are asked with the configured app id, a return address and a state of one use (TP002, TP003, TP006)", () => {
    const config = setConfig({ ...testConfig, wechatAppId: "wx-test", qqAppId: "qq-test" });
    const wechat = new URL(authorizeAddress("wechat", config, "/workbench") ?? "");
    expect(wechat.origin + wechat.pathname).toBe("https://open.weixin.qq.com/connect/qrconnect");
    expect(wechat.searchParams.get("appid")).toBe("wx-test");
    expect(wechat.searchParams.get("redirect_uri")).toBe(
      "https://www.xuanlan.test/login?provider=wechat&returnURL=%2Fworkbench",
    );
    const qq = new URL(authorizeAddress("qq", config, "") ?? "");
    expect(qq.origin + qq.pathname).toBe("https://graph.qq.com/oauth2.0/authorize");
    expect(qq.searchParams.get("client_id")).toBe("qq-test");
    const state = qq.searchParams.get("state");
    expect(state).toMatch(/^[0-9a-f]{32}$/);
    expect(claimState("other")).toBe(false);
    expect(claimState(state)).toBe(false);
    authorizeAddress("qq", config, "");
    expect(claimState(null)).toBe(false);
  });

  it("go to the addresses the configuration names instead", () => {
    const config = setConfig({
      ...testConfig,
      qqAppId: "q",
      qqAuthorizeUrl: "http://sandbox.test/qq?env=test",
    });
    const url = new URL(authorizeAddress("qq", config, "") ?? "");
    expect(url.origin).toBe("http://sandbox.test");
    expect(url.searchParams.get("env")).toBe("test");
    expect(claimState(url.searchParams.get("state"))).toBe(true);
  });
});
