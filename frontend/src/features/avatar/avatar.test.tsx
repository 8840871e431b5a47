import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { readLoginId, readToken } from "@/session";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { gradeOf } from "@/ui/MemberBadge";
import { dropdownNickname, personalNickname, realNameOf } from "./model";

test("a nickname is cut after five characters, by stars in the dropdown and by dots in the centre", () => {
  expect(dropdownNickname("山水之间听雨人")).toBe("山水之间听***");
  expect(personalNickname("山水之间听雨人")).toBe("山水之间听…");
  expect(dropdownNickname("山水之间听")).toBe("山水之间听");
  expect(personalNickname("山")).toBe("山");
});

test("a character outside the basic plane counts as one and is never split", () => {
  expect(dropdownNickname("😀😀😀😀😀😀")).toBe("😀😀😀😀😀***");
  expect(dropdownNickname("𠮷野家食堂")).toBe("𠮷野家食堂");
});

test("real-name status by checkStatus; anything else is not verified", () => {
  expect(realNameOf(0, false).text).toBe("实名审核中");
  expect(realNameOf(1, true).text).toBe("已企业认证");
  expect(realNameOf(1, false).text).toBe("已个人认证");
  expect(realNameOf(2, false).action).toBeDefined();
  expect(realNameOf(3, false).action?.to).toContain("typeShow");
  for (const odd of [4, -1, null, undefined, "", "abc"]) {
    expect(realNameOf(odd, true)).toEqual({ text: "未实名", tone: "neutral" });
  }
});

test("a grade needs its name and an active status", () => {
  expect(gradeOf("专业会员", 1)).toBe("professional");
  expect(gradeOf("高级会员", 1)).toBe("advanced");
  expect(gradeOf("基础会员", 1)).toBe("basic");
  expect(gradeOf("专业会员", 0)).toBe("free");
  expect(gradeOf("专业会员", null)).toBe("free");
  expect(gradeOf(null, 1)).toBe("free");
});

async function openPanel(changes = {}) {
  const heard = answer({ ...frameAnswers(changes), logout: {} });
  const page = openSite("/siteMap", { signedIn: true });
  const bar = within(await screen.findByRole("banner"));
  await page.user.click(await bar.findByRole("button", { name: "我的账号" }));
  await bar.findByText("XL001");
  return { ...page, bar, heard };
}

test("the dropdown shows the person, the balances in yuan and the counts, each with its way", async () => {
  const { bar } = await openPanel();
  expect(bar.getByText("山水之间听***")).toBeInTheDocument();
  expect(bar.getByText("免费版")).toBeInTheDocument();
  expect(bar.getByText("123.45")).toBeInTheDocument();
  expect(bar.getByText("67.89")).toBeInTheDocument();
  const href = (name: string | RegExp) => bar.getByRole("link", { name }).getAttribute("href");
  expect(href("充值")).toBe("/workbench/account/accountRecharge");
  expect(href("提现")).toBe("/workbench/account/accountWithdrawals");
  expect(href(/^我的账户.*3$/)).toBe("/workbench/account/accoInforIndex");
  expect(href(/^我的订单.*2$/)).toBe("/workbench/myOrder");
  expect(href("我的关注")).toBe("/workbench/account/myConcern");
  expect(href("我的收藏")).toBe("/workbench/modelFavorites");
  expect(href(/^我的消息.*4$/)).toBe("/workbench/myMessage");
  expect(href("立即认证")).toContain("typeShow");
  expect(href("查看会员权益")).toBe("/pricePage#compare");
});

test("a member sees the expiry and renews; there is no open-membership button", async () => {
  const expirationTime = new Date(2027, 4, 6, 12).getTime();
  const { bar } = await openPanel({ memberGradeName: "高级会员", memberStatus: 1, expirationTime });
  // The header says it beside the dropdown.
  expect(bar.getAllByText("高级会员")).toHaveLength(2);
  expect(bar.getByText("有效期至 2027-05-06")).toBeInTheDocument();
  expect(bar.getByRole("button", { name: "续费升级" })).toBeInTheDocument();
  expect(bar.queryByRole("button", { name: "开通会员" })).toBeNull();
});

test("signing out brings the visitor's header back and removes the cookies", async () => {
  const { bar, user, heard } = await openPanel();
  expect(readToken()).toBe("tok-1");
  await user.click(bar.getByRole("button", { name: "退出登录" }));
  expect(await screen.findByRole("button", { name: "登录" })).toBeInTheDocument();
  await waitFor(() => expect(readLoginId()).toBe(""));
  expect(readToken()).toBe("");
  expect(heard.some((call) => call.name === "logout")).toBe(true);
});
