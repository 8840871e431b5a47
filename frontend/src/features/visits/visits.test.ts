import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setConfig } from "@/api/config";
import { removeCookie } from "@/lib/cookies";
import { createStore } from "@/store";
import { bindStore } from "@/store/current";
import { testConfig } from "@/test/setup";
import { standIn } from "@/test/standIn";
import { startVisits } from ".";
import { clickOf } from "./clicks";
import { campaignOf, sourceOf } from "./source";
import { keepVisitor, VISITOR_COOKIE, VISITOR_DAYS, visitorId, wantsNoTrace } from "./visitor";

const SITE = "https://www.xuanlan.test";

/** Records sent, with their paths. */
const sent: [string, Record<string, unknown>][] = [];

async function record(url: unknown, body: unknown): Promise<void> {
  sent.push([new URL(String(url)).pathname, JSON.parse(String(body))]);
}

beforeEach(() => {
  sent.length = 0;
  setConfig({ ...testConfig, analyticsHost: "https://count.xuanlan.test" });
  bindStore(createStore({ isPrivatePath: () => false }));
  vi.stubGlobal("fetch", async (url: unknown, init: RequestInit) => {
    await record(url, init.body);
    return Response.json({ resp_code: 60000, resp_msg: "", datas: "f".repeat(32) });
  });
  standIn(navigator, "sendBeacon", (url, body) => {
    record(url, body);
    return true;
  });
});

afterEach(() => {
  removeCookie(VISITOR_COOKIE);
  vi.unstubAllGlobals();
});

test("AN007: a visit comes from a search engine, another site, or directly", () => {
  expect(sourceOf("https://www.baidu.com/s?wd=x", SITE)).toBe("search");
  expect(sourceOf("https://cn.bing.com/", SITE)).toBe("search");
  expect(sourceOf("https://baidu.com.evil.example/", SITE)).toBe("link");
  expect(sourceOf("https://forum.example/thread", SITE)).toBe("link");
  expect(sourceOf("", SITE)).toBe("direct");
  expect(sourceOf(`${SITE}/pricePage`, SITE)).toBe("direct");
  expect([campaignOf("?dap=spring"), campaignOf("?utm_campaign=x"), campaignOf("")]).toEqual([
    "spring",
    "x",
    "",
  ]);
});

test("AN002: the cookie is kept 365 days, and its id stays", () => {
  const written = vi.spyOn(document, "cookie", "set");
  const id = keepVisitor();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(written).toHaveBeenCalledWith(expect.stringContaining(`Max-Age=${VISITOR_DAYS * 86_400}`));
  expect(VISITOR_DAYS).toBe(365);
  expect([keepVisitor(), visitorId()]).toEqual([id, id]);
});

test("who asks not to be followed is not", () => {
  expect(wantsNoTrace()).toBe(false);
  vi.stubGlobal("navigator", { doNotTrack: "1" });
  expect(wantsNoTrace()).toBe(true);
  vi.stubGlobal("navigator", { globalPrivacyControl: true });
  expect(wantsNoTrace()).toBe(true);
});

test("clicks in the header and the toolbar are told apart from all others", () => {
  document.body.innerHTML = `<header><a href="/mall"><b>模型商城</b></a></header>
    <aside aria-label="侧边工具栏"><button aria-label="帮助文档"></button></aside><main><a href="/x">x</a></main>`;
  const click = (selector: string) => clickOf(document.querySelector(selector));
  expect(click("header b")).toEqual({ area: "header", name: "模型商城", operation: "navigate" });
  expect(click("aside button")).toEqual({ area: "toolbar", name: "帮助文档", operation: "operate" });
  expect(click("main a")).toBeUndefined();
});

test("AN001, AN004, AN006, AN013, AN014: begin, pages with the cookie only, and the end of a visit", async () => {
  let move = () => undefined as unknown;
  startVisits((moved) => {
    move = moved;
  });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  const [path, added] = sent[0] ?? ["", {}];
  expect(path).toBe("/visitor/add");
  expect(Object.keys(added).sort()).toEqual([
    "cookie",
    "dap",
    "entranceUrl",
    "isJson",
    "source",
    "sourceUrl",
  ]);
  expect(added).toMatchObject({ cookie: visitorId(), source: "direct", isJson: true });
  await vi.waitFor(() => {
    move();
    expect(sent.at(-1)?.[0]).toBe("/visitor/update");
  });
  const told = sent.length;
  removeCookie(VISITOR_COOKIE);
  move();
  expect(sent).toHaveLength(told);
  window.dispatchEvent(new Event("pagehide"));
  await vi.waitFor(() => expect(sent.at(-1)).toEqual(["/visitor/end", { uuid: "f".repeat(32) }]));
});
