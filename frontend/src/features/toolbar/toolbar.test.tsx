import { act, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { setConfig } from "@/api/config";
import { dialogClosed } from "@/session/dialog";
import { answer } from "@/test/server";
import { testConfig } from "@/test/setup";
import { frameAnswers, openSite } from "@/test/site";
import { standIn } from "@/test/standIn";

beforeEach(() => {
  setConfig({
    ...testConfig,
    hotline: "400-800-1234",
    qqConsultUrl: "https://wpa.qq.com/x",
    wechatConsultUrl: "https://u.wechat.com/x",
    contact: { email: "hello@xuanlan.test", address: "" },
  });
  scrollTo(0);
});

function scrollTo(y: number): void {
  act(() => {
    standIn(window, "scrollY", y);
    fireEvent.scroll(window);
  });
}

async function toolbar() {
  answer(frameAnswers());
  const page = openSite("/siteMap");
  const bar = within(await screen.findByRole("complementary", { name: "侧边工具栏" }));
  return { ...page, bar };
}

test("back to top shows beyond 600 px, not at 600, and there is one of it (TB008, AM070)", async () => {
  const { bar } = await toolbar();
  scrollTo(600);
  expect(bar.queryByRole("button", { name: "回到顶部" })).toBeNull();
  scrollTo(601);
  expect(screen.getAllByRole("button", { name: "回到顶部" })).toHaveLength(1);
  scrollTo(0);
  expect(bar.queryByRole("button", { name: "回到顶部" })).toBeNull();
});

test("back to top scrolls to the top (TB009)", async () => {
  const scroll = vi.spyOn(window, "scrollTo");
  const { bar, user } = await toolbar();
  scrollTo(2000);
  scroll.mockClear();
  await user.click(bar.getByRole("button", { name: "回到顶部" }));
  expect(scroll).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }));
});

test("the toggle hides and shows help and hotline, and nothing else (TB006, TB007)", async () => {
  const { bar, user } = await toolbar();
  expect(bar.getByRole("button", { name: "帮助文档" })).toBeInTheDocument();
  expect(bar.getByRole("button", { name: "热线 400-800-1234" })).toBeInTheDocument();
  await user.click(bar.getByRole("button", { name: "收起工具栏" }));
  expect(bar.queryByRole("button", { name: "帮助文档" })).toBeNull();
  expect(bar.queryByRole("button", { name: /热线/ })).toBeNull();
  expect(bar.getByRole("button", { name: "QQ 咨询" })).toBeInTheDocument();
  expect(bar.getByRole("button", { name: "微信咨询" })).toBeInTheDocument();
  await user.click(bar.getByRole("button", { name: "展开工具栏" }));
  expect(bar.getByRole("button", { name: "帮助文档" })).toBeInTheDocument();
  expect(bar.getByRole("button", { name: "热线 400-800-1234" })).toBeInTheDocument();
});

test("QQ and WeChat show their codes, the hotline its number, help its page (TB001, TB003, TB004, TB005)", async () => {
  const { bar, user, at } = await toolbar();
  await user.click(bar.getByRole("button", { name: "QQ 咨询" }));
  expect(await bar.findByRole("img", { name: "扫码QQ 咨询二维码" })).toBeInTheDocument();
  await user.click(bar.getByRole("button", { name: "微信咨询" }));
  expect(await bar.findByRole("img", { name: "扫码微信咨询二维码" })).toBeInTheDocument();
  await user.click(bar.getByRole("button", { name: "热线 400-800-1234" }));
  expect(bar.getByText("400-800-1234")).toBeVisible();
  await user.click(bar.getByRole("button", { name: "帮助文档" }));
  expect(at()).toBe("/helpCenter");
});

test("without an outside address chat and feedback are our own, after signing in", async () => {
  const { bar, user, store } = await toolbar();
  for (const name of ["在线客服", "反馈问题与建议"]) {
    store.dispatch(dialogClosed());
    await user.click(bar.getByRole("button", { name, hidden: true }));
    expect(store.getState().authDialog).toMatchObject({ open: true, step: "login" });
  }
});

test("on a phone, which has no toolbar, the menu leads to both", async () => {
  const { user, store } = await toolbar();
  for (const name of ["在线客服", "反馈问题与建议"]) {
    store.dispatch(dialogClosed());
    await user.click(screen.getByRole("button", { name: "打开菜单", hidden: true }));
    const menu = within(await screen.findByRole("navigation", { name: "移动端导航", hidden: true }));
    await user.click(menu.getByRole("button", { name, hidden: true }));
    expect(store.getState().authDialog).toMatchObject({ open: true, step: "login" });
  }
});

test("chat opens the configured address (TB002)", async () => {
  setConfig({ ...testConfig, chatUrl: "https://chat.example.cn/room" });
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { bar, user } = await toolbar();
  await user.click(bar.getByRole("button", { name: "在线客服" }));
  expect(open).toHaveBeenCalledWith("https://chat.example.cn/room", "_blank", "noopener");
});

test("what is not configured is left out, and help stays", async () => {
  setConfig(testConfig);
  const { bar, user } = await toolbar();
  const names = () => bar.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names()).toEqual(["在线客服", "帮助文档", "反馈问题与建议", "收起工具栏"]);
  await user.click(bar.getByRole("button", { name: "收起工具栏" }));
  expect(names()).toEqual(["在线客服", "反馈问题与建议", "展开工具栏"]);
});

test("an address for chat that would run script opens nothing", async () => {
  setConfig({ ...testConfig, chatUrl: "javascript://x/%0aalert(1)" });
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  open.mockClear();
  const { bar, user } = await toolbar();
  await user.click(bar.getByRole("button", { name: "在线客服" }));
  expect(open).not.toHaveBeenCalled();
});
