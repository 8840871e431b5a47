import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { readLoginId, readToken } from "@/session";
import { answer } from "@/test/server";
import { allAnswered, frameAnswers, openSite } from "@/test/site";
import { gradeOf } from "@/ui/MemberBadge";
import { dropdownNickname, personalNickname, realNameOf } from "./model";

test("a nickname is cut after five characters, by stars in the dropdown and by dots in the centre (AV019, AV020, AM071)", () => {
  expect(dropdownNickname("山水之间听雨人")).toBe("山水之间听***");
  expect(personalNickname("山水之间听雨人")).toBe("山水之间听…");
  expect(dropdownNickname("山水之间听")).toBe("山水之间听");
  expect(personalNickname("山")).toBe("山");
});

test("a character outside the basic plane counts as one and is never split", () => {
  expect(dropdownNickname("😀😀😀😀😀😀")).toBe("😀😀😀😀😀***");
  expect(dropdownNickname("𠮷野家食堂")).toBe("𠮷野家食堂");
});

test("real-name status by checkStatus; anything else is not verified (CE006)", () => {
  expect(realNameOf(0, false).text).toBe("实名审核中");
  expect(realNameOf(1, true).text).toBe("已企业认证");
  expect(realNameOf(1, false).text).toBe("已个人认证");
  expect(realNameOf(2, false).action).toBeDefined();
  expect(realNameOf(3, false).action?.to).toContain("typeShow");
  for (const odd of [4, -1, null, undefined, "", "abc"]) {
    expect(realNameOf(odd, true)).toEqual({ text: "未实名", tone: "neutral" });
  }
});

test("a grade needs its name and an active status; which it is says its rank (AV001, MB020, AM021)", () => {
  const member = (
    memberRank: number,
    memberStatus: number | null,
    memberGradeName: string | null = "某会员",
  ) => gradeOf({ memberRank, memberStatus, memberGradeName });
  expect([1, 2, 3].map((rank) => member(rank, 1))).toEqual(["basic", "advanced", "professional"]);
  expect(member(4, 1)).toBe("free");
  expect(member(3, 0)).toBe("free");
  expect(member(3, null)).toBe("free");
  expect(member(3, 1, null)).toBe("free");
  expect(gradeOf(undefined)).toBe("free");
});

async function openPanel(changes = {}) {
  const heard = answer({ ...frameAnswers(changes), logout: {} });
  const page = openSite("/siteMap", { signedIn: true });
  const bar = within(await screen.findByRole("banner"));
  await page.user.click(await bar.findByRole("button", { name: "我的账号" }));
  await bar.findByText("XL001");
  await allAnswered(page.store);
  return { ...page, bar, heard };
}

test("who has no nickname is shown by a placeholder, and so is an account that is not read yet (SE006)", async () => {
  const { bar, store } = await openPanel({ nickName: "" });
  expect(store.getState().session.nickname).toBe("玄览用户");
  expect(bar.getByText("玄览用户")).toBeInTheDocument();
});

test("the dropdown shows the person, the balances in yuan and the counts, each with its way (AV001, AV002, AV007 to AV016, MB023)", async () => {
  const { bar } = await openPanel();
  expect(bar.getByText("山水之间听***")).toBeInTheDocument();
  expect(bar.getByText("XL001")).toBeInTheDocument();
  expect(bar.getByText("免费版")).toBeInTheDocument();
  // AV008, AV010
  expect(bar.getByText("123.45")).toBeInTheDocument();
  expect(bar.getByText("67.89")).toBeInTheDocument();
  const href = (name: string | RegExp) => bar.getByRole("link", { name }).getAttribute("href");
  // AV009, AV011, AV012, AV013, AV014, AV015, AV016
  expect(href("充值")).toBe("/workbench/account/accountRecharge");
  expect(href("提现")).toBe("/workbench/account/accountWithdrawals");
  expect(href(/^我的账户.*3$/)).toBe("/workbench/account/accoInforIndex");
  expect(href(/^我的订单.*2$/)).toBe("/workbench/myOrder");
  expect(href("我的关注")).toBe("/workbench/account/myConcern");
  expect(href("我的收藏")).toBe("/workbench/modelFavorites");
  expect(href(/^我的消息.*4$/)).toBe("/workbench/myMessage");
  expect(bar.getByText("未实名")).toBeInTheDocument();
  expect(href("立即认证")).toContain("typeShow"); // HD018
  expect(href("查看会员权益")).toBe("/pricePage#compare"); // AV007
});

test("a member sees the expiry and renews; there is no open-membership button (AV001, AV003, AV004)", async () => {
  const expirationTime = new Date(2027, 4, 6, 12).getTime();
  const { bar, user, store } = await openPanel({
    memberRank: 2,
    memberGradeName: "高级会员",
    memberStatus: 1,
    expirationTime,
  });
  // Once in the header, once in the dropdown.
  await waitFor(() => expect(bar.getAllByText("高级会员")).toHaveLength(2));
  expect(bar.getByText("有效期至 2027-05-06")).toBeInTheDocument();
  expect(bar.queryByRole("button", { name: "开通会员" })).toBeNull();
  await user.click(bar.getByRole("button", { name: "续费升级" }));
  expect(store.getState().shop.purchase.open).toBe(true);
});

test("who is no member opens a membership from the dropdown (AV005, MB021)", async () => {
  const { bar, user, store } = await openPanel();
  // The first one is the header's.
  await waitFor(() => expect(bar.getAllByRole("button", { name: "开通会员" })).toHaveLength(2));
  const [, ofPanel] = bar.getAllByRole("button", { name: "开通会员" });
  await user.click(ofPanel as HTMLElement);
  expect(store.getState().shop.purchase.open).toBe(true);
});

test.each([
  [0, "实名审核中"],
  [1, "已个人认证"],
  [2, "实名未通过"],
  [9, "未实名"],
])("the dropdown says what check status %i means (AV006, CE006)", async (checkStatus, text) => {
  const { bar } = await openPanel({ checkStatus });
  expect(bar.getByText(text)).toBeInTheDocument();
});

test("signing out brings the visitor's header back and removes the cookies (AV017)", async () => {
  const { bar, user, heard } = await openPanel();
  expect(readToken()).toBe("tok-1");
  await user.click(bar.getByRole("button", { name: "退出登录" }));
  expect(await screen.findByRole("button", { name: "登录" })).toBeInTheDocument();
  await waitFor(() => expect(readLoginId()).toBe(""));
  expect(readToken()).toBe("");
  expect(heard.some((call) => call.name === "logout")).toBe(true);
});
