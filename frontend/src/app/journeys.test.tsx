import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { passing, solveSlider } from "@/test/render";
import { type Answer, answer, tokenDatas } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { plainPath } from "./paths";
import { routes } from "./routes";

const noFiles = { datas: { totalCount: 0, results: [] } };
const answers = (): Record<string, Answer> => ({
  ...frameAnswers(),
  list: noFiles,
  card_list: { datas: { totalCount: 0, results: [] } },
  getObjectModelFileUploadSettings: { datas: [{ modelFormat: "obj", maxSize: 300 }] },
  getSceneModelFileUploadSettings: { datas: [{ modelFormat: "zip", maxSize: 5120 }] },
  getFileMaxSize: { datas: { maxSize: 300, sizes: [] } },
  getLatestClientVersion: { datas: { fileUrl: null } },
});

const header = async () => within(await screen.findByRole("banner"));

describe("a visitor browses the public site (LY001, LY013)", () => {
  const open = routes.filter((route) => route.access !== "login" && route.path !== "/login");

  test.each(open.map(plainPath))("%s", async (path) => {
    const calls = answer(answers());
    const { at } = openSite(path);
    await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
    expect(at()).toBe(path);
    expect(screen.queryByText("页面不存在")).toBeNull();
    // A visitor's page makes no calls that need a sign-in.
    const open = calls.filter(
      ({ path, name }) => !path.includes("unauth") && name !== "selectMemberGradeList",
    );
    expect(open.map((call) => call.path)).toEqual([]);
  });
});

describe("the login page (LY008)", () => {
  async function signInAt(address: string) {
    answer({ ...answers(), ...passing, token: { datas: tokenDatas() } } as Parameters<typeof answer>[0]);
    const page = openSite(address);
    const { user } = page;
    await user.click(await screen.findByRole("tab", { name: "密码登录" }));
    await user.type(screen.getByLabelText("手机号或邮箱"), "13800138000");
    await user.type(screen.getByLabelText("密码"), "secret1{Enter}");
    await solveSlider(user);
    await screen.findByText("登录成功");
    return page;
  }

  test("leads back to where the visitor came from", async () => {
    const address = "/workbench/myOrder?a=1";
    const { at } = await signInAt(`/login?returnURL=${encodeURIComponent(address)}`);
    await waitFor(() => expect(at()).toBe(address));
  });

  test("leads to no other site", async () => {
    const { at } = await signInAt(`/login?returnURL=${encodeURIComponent("https://evil.example/x")}`);
    await waitFor(() => expect(at()).toBe("/"));
  });
});

test("the upload button of the header opens the wizard (HD013)", async () => {
  answer(answers());
  const { user, at } = openSite("/siteMap", { signedIn: true });
  await user.click((await header()).getByRole("link", { name: "上传模型" }));
  const wizard = within(await screen.findByRole("dialog"));
  expect(await wizard.findByLabelText("选择文件")).toBeInTheDocument();
  expect(at()).toBe("/workbench/myUpload?upload=1");
});

test("the avatar's menu opens under the pointer and closes behind it (HD014)", async () => {
  answer(answers());
  const { user } = openSite("/siteMap", { signedIn: true });
  const bar = await header();
  const button = bar.getByRole("button", { name: "我的账号" });
  expect(button).toHaveAttribute("aria-expanded", "false");
  await user.hover(button);
  expect(await bar.findByRole("button", { name: "退出登录" })).toBeVisible();
  await user.unhover(button);
  await waitFor(() => expect(button).toHaveAttribute("aria-expanded", "false"));

  // The menu opens before the click of a slow hand: that click does not close it, and keeps it open.
  await user.hover(button);
  await bar.findByRole("button", { name: "退出登录" });
  await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  await user.unhover(button);
  await user.click(screen.getByRole("contentinfo"));
  await waitFor(() => expect(button).toHaveAttribute("aria-expanded", "false"));
  await user.click(button);
  await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "false");
});

test.each([
  ["lightweight", "选择一个可用的模型，点“轻量化”开始。"],
  ["convert", "选择一个可用的模型，点“转换”开始。"],
])("my uploads take the service name %s (HD017)", async (name, text) => {
  answer(answers());
  openSite(`/workbench/myUpload?serviceName=${name}`, { signedIn: true });
  expect(await screen.findByText(text)).toBeVisible();
});

test("the confidentiality agreement is reached from the footer (HD021)", async () => {
  answer(answers());
  const { user, at } = openSite("/siteMap");
  const foot = within(await screen.findByRole("contentinfo"));
  await user.click(foot.getByRole("link", { name: "平台保密协议" }));
  expect(at()).toBe("/secrecy");
  expect(await screen.findByRole("article")).toHaveTextContent("三维模型常常是尚未公开的设计");
});

describe("no English is left where people read or listen (ER017)", () => {
  /** Words that a library or a developer may leave behind; names of formats and products do not count. */
  const english =
    /\b(the|and|go to|page|open|close|clear|loading|error|failed|search|cancel|next|previous|back|no options|menu|home|upload)\b/i;
  const attributes = ["aria-label", "title", "alt", "placeholder"];

  function words(): string[] {
    const all = [...document.body.querySelectorAll("*")];
    const told = all.flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? ""));
    const texts = all
      .filter((element) => !element.matches("style, script, code, pre"))
      .flatMap((element) => [...element.childNodes])
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? "");
    return [...told, ...texts].filter((text) => english.test(text));
  }

  const open = routes.filter((route) => route.load).map(plainPath);

  test.each([...open, "/topology", "/nothing/here"])("%s", async (path) => {
    answer({ ...answers(), card_list: noFiles });
    openSite(path, { signedIn: path !== "/login" });
    await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
    expect(words()).toEqual([]);
  });

  test("a list of several pages", async () => {
    const file = {
      fileName: "齿轮.obj",
      modelName: "齿轮",
      format: "obj",
      fileSize: 1024,
      status: "ready",
      createTime: Date.now(),
      modelType: 1,
      triangles: 12,
      tips: null,
      thumbUrl: null,
      labelIds: [],
      released: false,
    };
    const results = Array.from({ length: 20 }, (_, index) => ({ ...file, fileId: String(index) }));
    answer({ ...answers(), list: { datas: { totalCount: 45, results } } });
    openSite("/workbench/myUpload", { signedIn: true });
    const pages = within(await screen.findByRole("navigation", { name: "分页" }));
    expect(pages.getByRole("button", { name: "第 2 页" })).toBeVisible();
    expect(pages.getByRole("button", { name: "下一页" })).toBeVisible();
    expect(words()).toEqual([]);
  });
});
