import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sessionStore } from "@/lib/storage";
import { startStore } from "@/test/render";
import { answer } from "@/test/server";
import { claimErrand, leaveForProvider } from "./thirdParty";

beforeEach(() => sessionStore.remove("xuanlan.thirdParty"));

async function leave(url = "https://open.weixin.qq.com/connect/qrconnect?appid=wx-test&state=s1") {
  const calls = answer({ authorize: { datas: { url, state: "s1" } } });
  const { dispatch } = startStore();
  const errand = { provider: "wechat", purpose: "login", returnURL: "/workbench" } as const;
  return { calls, left: await leaveForProvider(dispatch, errand) };
}

describe("social providers", () => {
  it("are reached by the server's address; the page keeps a verifier and tells its hash (TP002, TP003)", async () => {
    const { calls, left } = await leave();
    expect(left).toBe(true);
    expect(calls[0]?.form).toMatchObject({ type: "wechat", origin: window.location.origin });
    const challenge = calls[0]?.form.challenge;
    expect(challenge).toMatch(/^[0-9a-f]{64}$/);
    const errand = claimErrand("wechat", "s1");
    expect(errand).toMatchObject({ provider: "wechat", purpose: "login", returnURL: "/workbench" });
    const bytes = new TextEncoder().encode(errand?.verifier);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")).toBe(challenge);
  });

  it("answer only what this window asked them, once", async () => {
    await leave();
    expect(claimErrand("qq", "s1")).toBeUndefined();
    expect(claimErrand("wechat", "s1")).toBeUndefined();
    await leave();
    expect(claimErrand("wechat", "s2")).toBeUndefined();
    await leave();
    expect(claimErrand("wechat", "s1")).toBeDefined();
    expect(claimErrand("wechat", "s1")).toBeUndefined();
    sessionStore.set("xuanlan.thirdParty", "no JSON");
    expect(claimErrand("wechat", "s1")).toBeUndefined();
  });

  it("are not asked where the browser keeps nothing, since their answer could not be taken", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("blocked", "SecurityError");
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { calls, left } = await leave();
    expect(left).toBe(false);
    expect(calls).toEqual([]);
  });

  it("are left alone when the server names no web page", async () => {
    const { left } = await leave("javascript:alert(1)");
    expect(left).toBe(false);
    expect(claimErrand("wechat", "s1")).toBeUndefined();
  });
});
