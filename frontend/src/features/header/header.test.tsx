import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { setConfig } from "@/api/config";
import { answer } from "@/test/server";
import { testConfig } from "@/test/setup";
import { frameAnswers, openSite } from "@/test/site";

beforeEach(() => {
  setConfig({ ...testConfig, hotline: "400-800-1234", mallUrl: "https://mall.example.cn/" });
});

const header = () => screen.findByRole("banner");

test("a visitor finds the entries, each at its address (HD001, HD003, HD005, HD006, HD007, HD008, HD012)", async () => {
  answer(frameAnswers());
  openSite("/siteMap");
  const bar = within(await header());
  expect(bar.getByRole("link", { name: /^玄览云\s*首页$/ })).toHaveAttribute("href", "/");
  expect(bar.getByRole("link", { name: "模型商城" })).toHaveAttribute("href", "https://mall.example.cn/");
  expect(bar.getByRole("link", { name: "案例中心" })).toHaveAttribute("href", "/case");
  expect(bar.getByRole("link", { name: "会员价格" })).toHaveAttribute("href", "/pricePage");
  expect(bar.getByRole("link", { name: "帮助中心" })).toHaveAttribute("href", "/helpCenter");
  expect(bar.getByRole("link", { name: "关于我们" })).toHaveAttribute("href", "/applicationCenter/aboutUs");
  expect(bar.getByRole("link", { name: "优惠券" })).toHaveAttribute("href", "/workbench/account/myCoupon");
  expect(bar.getByRole("link", { name: "上传模型" })).toHaveAttribute("href", "/workbench/myUpload?upload=1");
  expect(bar.getByRole("link", { name: "购物车" })).toHaveAttribute("href", "/workbench/myShoppCart");
  expect(bar.getByRole("button", { name: "登录" })).toBeInTheDocument();
  expect(bar.getByRole("button", { name: "注册" })).toBeInTheDocument();
  expect(bar.queryByRole("button", { name: "我的账号" })).toBeNull();
});

test("a mall of this site opens in the same tab", async () => {
  setConfig({ ...testConfig, mallUrl: "/transaction" });
  answer(frameAnswers());
  openSite("/siteMap");
  const link = within(await header()).getByRole("link", { name: /^模型商城/ });
  expect(link).toHaveAttribute("href", "/transaction");
  expect(link).not.toHaveAttribute("target");
});

test.each(["", "javascript://x/%0aalert(1)"])(
  "without a mall address (%s) there is no entry",
  async (mallUrl) => {
    setConfig({ ...testConfig, mallUrl });
    answer(frameAnswers());
    openSite("/siteMap");
    expect(within(await header()).queryByRole("link", { name: "模型商城" })).toBeNull();
  },
);

test("the products menu opens and closes by keyboard, and the arrows move in it", async () => {
  answer(frameAnswers());
  const { user, at } = openSite("/siteMap");
  const bar = within(await header());
  const button = bar.getByRole("button", { name: "产品与服务" });
  button.focus();
  await user.keyboard("{ArrowDown}");
  const first = await bar.findByRole("link", { name: /^单模型轻量化/ });
  await waitFor(() => expect(first).toHaveFocus());
  expect(first).toHaveAttribute("href", "/singleIightweight");
  await user.keyboard("{ArrowDown}");
  expect(bar.getByRole("link", { name: /^格式转换/ })).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-expanded", "false");
  await user.click(button);
  await user.click(await bar.findByRole("link", { name: /^格式转换/ }));
  expect(at()).toBe("/formatConversion");
});

test("the products menu leads to every product and solution of the specification", async () => {
  answer(frameAnswers());
  const { user } = openSite("/siteMap");
  const bar = within(await header());
  await user.click(bar.getByRole("button", { name: "产品与服务" }));
  await bar.findByRole("link", { name: /^单模型轻量化/ });
  const reached = bar.getAllByRole("link").map((link) => link.getAttribute("href"));
  for (const path of [
    "/singleIightweight",
    "/formatConversion",
    "/obliquePhotography",
    "/aiModel",
    "/modelEditor",
    "/solution/smartPark",
    "/solution/smartComputerRoom",
    "/solution/smartFactory",
    "/solution/c2mEcommerce",
    "/solution/intelligentTransportation",
    "/solution/smartEnergy",
  ]) {
    expect(reached).toContain(path);
  }
});

test("a page that is not open yet is marked before it is opened", async () => {
  answer(frameAnswers());
  const { user } = openSite("/siteMap");
  const bar = within(await header());
  await user.click(bar.getByRole("button", { name: "产品与服务" }));
  expect(await bar.findByRole("link", { name: /^AI 模型/ })).toHaveTextContent("筹备中");
  expect(bar.getByRole("link", { name: /^智慧园区/ })).not.toHaveTextContent("筹备中");
  expect(bar.getByRole("link", { name: /^单模型轻量化/ })).not.toHaveTextContent("筹备中");
});

test("the developer menu holds the developer certification with its query", async () => {
  answer(frameAnswers());
  const { user } = openSite("/siteMap");
  const bar = within(await header());
  await user.click(bar.getByRole("button", { name: "开发者中心" }));
  expect(await bar.findByRole("link", { name: /开发者认证/ })).toHaveAttribute(
    "href",
    "/workbench/authInfo?nowType=MAKE_MODEL",
  );
});

test("the subscribe button is for non-members only (HD011)", async () => {
  answer(frameAnswers());
  openSite("/siteMap", { signedIn: true });
  expect(await within(await header()).findByRole("button", { name: "开通会员" })).toBeVisible();
});

test("a member sees the badge with its expiry instead", async () => {
  const expirationTime = new Date(2027, 4, 6, 12).getTime();
  answer(frameAnswers({ memberRank: 2, memberGradeName: "高级会员", memberStatus: 1, expirationTime }));
  openSite("/siteMap", { signedIn: true });
  const badge = await within(await header()).findByRole("button", { name: /^高级会员/ });
  expect(badge).toHaveAccessibleName(/^高级会员\s*2027-05-06 到期\s*，续费升级$/);
});

test("a visitor who wants a membership signs in first and comes back to it", async () => {
  answer(frameAnswers());
  const { user, store } = openSite("/siteMap");
  await user.click(within(await header()).getByRole("button", { name: "开通会员" }));
  expect(store.getState().authDialog).toMatchObject({ open: true, step: "login" });
  expect(store.getState().authDialog.returnURL).toMatch(/[?&]buy=current$/);
});

test("a member sees no subscribe button; one whose membership has expired does (HD011)", async () => {
  answer(frameAnswers({ memberRank: 2, memberGradeName: "高级会员", memberStatus: 1 }));
  openSite("/siteMap", { signedIn: true });
  const bar = within(await header());
  await waitFor(() => expect(bar.queryByRole("button", { name: "开通会员" })).toBeNull());
});

test("an expired membership counts as none", async () => {
  const heard = answer(frameAnswers({ memberRank: 2, memberGradeName: "高级会员", memberStatus: 0 }));
  openSite("/siteMap", { signedIn: true });
  const bar = within(await header());
  await waitFor(() => expect(heard.some((call) => call.name === "avatarInformation")).toBe(true));
  expect(await bar.findByRole("button", { name: "开通会员" })).toBeInTheDocument();
});

test("the cart shows its count, asked for with a page of 200", async () => {
  const heard = answer({ ...frameAnswers(), getCartList: { datas: { totalCount: 2, results: [] } } });
  openSite("/siteMap", { signedIn: true });
  expect(await within(await header()).findByRole("link", { name: "购物车，2 件" })).toBeInTheDocument();
  expect(heard.find((call) => call.name === "getCartList")?.form.pageSize).toBe("200");
});

test("with the entrance option one link to the workbench stands in place of the right-side items (HD015)", async () => {
  answer(frameAnswers());
  openSite("/workbench/information", { signedIn: true });
  const bar = within(await header());
  expect(bar.getByRole("link", { name: "我的工作台" })).toHaveAttribute("href", "/workbench");
  for (const name of ["购物车", "优惠券", "上传模型"]) {
    expect(bar.queryByRole("link", { name })).toBeNull();
  }
  for (const name of ["开通会员", "我的账号"]) {
    expect(bar.queryByRole("button", { name })).toBeNull();
  }
});

test("on a phone the account menu hangs under the header, inside the window", async () => {
  answer(frameAnswers());
  const { user } = openSite("/siteMap", { signedIn: true });
  const button = await within(await header()).findByRole("button", { name: /^我的账号/ });
  await user.click(button);
  const panel = document.getElementById(button.getAttribute("aria-controls") ?? "");
  expect(panel).toBeVisible();
  const phone = (element: Element | null) => rulesOf(element, "(min-width:0px)");
  expect(phone(panel)).toMatch(/right: ?8px/);
  expect(phone(panel)).toMatch(/width: ?calc\(100% - 16px\)/);
  // Its positioned ancestor is the header.
  expect(phone(button.parentElement)).toMatch(/position: ?static/);
});

/** The rules of an element's classes for windows of this width, which jsdom does not apply. */
function rulesOf(element: Element | null, condition: string): string {
  const classes = [...(element?.classList ?? [])].map((name) => `.${name}`);
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule): rule is CSSMediaRule => "media" in rule && rule.cssText.includes(condition))
    .map((rule) => rule.cssText)
    .filter((text) => classes.some((name) => text.includes(name)))
    .join("\n");
}
