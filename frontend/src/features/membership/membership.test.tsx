import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { coupon, gift, grades, order, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { effectOf, firstTab, privilegesOf, purchaseBlock } from "./rules";

test("the lowest grade is not sold beside a higher one, nor the highest beside itself (MB010 to MB012, AM022, AM023)", () => {
  const sold = (current: "free" | "basic" | "advanced" | "professional") =>
    (["basic", "advanced", "professional"] as const).map((tab) => purchaseBlock(tab, current) === undefined);
  expect(sold("free")).toEqual([true, true, true]);
  expect(sold("basic")).toEqual([true, true, true]);
  expect(sold("advanced")).toEqual([false, true, true]);
  expect(sold("professional")).toEqual([false, true, false]);
});

test("the first tab is the one asked for, else one's own, else the lowest (MB013, MB014)", () => {
  expect(firstTab(null, "free")).toBe("basic");
  expect(firstTab(null, "professional")).toBe("professional");
  expect(firstTab("advanced", "professional")).toBe("advanced");
});

test("unlimited reads as words, discounts as tenths (MB027)", () => {
  const values = Object.fromEntries(privilegesOf(grades[2] as never).map((one) => [one.title, one.value]));
  expect(values).toMatchObject({ 单模型轻量化: "不限次", 倾斜摄影轻量化: "5 折", 存储空间: "5 TB" });
});

async function openDialog(options: Parameters<typeof shopAnswers>[0] = {}, more = {}) {
  const heard = answer({ ...shopAnswers(options), ...more });
  const page = openSite("/siteMap?buy=current", { signedIn: true });
  const dialog = within(await screen.findByRole("dialog", { name: "开通会员" }));
  await dialog.findByText("年卡");
  return { ...page, heard, dialog };
}

test("three tabs, an annual card each, the price of the server's list (MB001 to MB009, MB026, MB032)", async () => {
  const { dialog, user, at } = await openDialog();
  expect(at()).toBe("/siteMap");
  const tabs = dialog.getAllByRole("tab");
  expect(tabs.map((tab) => tab.textContent)).toEqual(["基础会员", "高级会员", "专业会员"]);
  expect(tabs[0]).toHaveAttribute("aria-selected", "true");
  for (const [index, yuan] of ["299", "699", "1,699"].entries()) {
    await user.click(tabs[index] as HTMLElement);
    expect(dialog.getByTestId("payable")).toHaveTextContent(`¥${yuan}`);
    const cards = dialog.getAllByRole("radio");
    expect(cards).toHaveLength(1);
    expect(cards[0]).toBeChecked();
    expect(dialog.getByRole("button", { name: "确认支付" })).toBeEnabled();
  }
  expect(dialog.getByRole("link", { name: "《会员服务协议》" })).toHaveAttribute("href", "/agreement");
  expect(dialog.getByRole("link", { name: "帮助文档" })).toHaveAttribute("href", "/helpCenter?id=member");
  await user.click(dialog.getByRole("button", { name: "对比会员权益" }));
  const table = within(await screen.findByRole("dialog", { name: "对比会员权益" }));
  const heads = table.getAllByRole("columnheader").slice(0, 5);
  expect(heads.map((head) => head.textContent)).toEqual([
    "权益",
    expect.stringContaining("免费版"),
    expect.stringContaining("基础会员"),
    expect.stringContaining("高级会员"),
    expect.stringContaining("专业会员"),
  ]);
});

test("nothing is ordered before the agreement is ticked; then grade and year are sent (MB028, AM025)", async () => {
  const { dialog, user, heard, store } = await openDialog();
  await user.click(dialog.getByRole("tab", { name: "高级会员" }));
  await user.click(dialog.getByRole("button", { name: "确认支付" }));
  expect(dialog.getByRole("alert")).toHaveTextContent("请先阅读并同意会员服务协议");
  expect(heard.some((call) => call.name === "createMemberOrder")).toBe(false);
  await user.click(dialog.getByRole("checkbox", { name: "我已阅读并同意" }));
  await user.click(dialog.getByRole("button", { name: "确认支付" }));
  expect(await screen.findByRole("dialog", { name: "支付" })).toBeInTheDocument();
  expect(heard.find((call) => call.name === "createMemberOrder")?.form).toMatchObject({
    memberGradeId: "2",
    isMonthly: "0",
  });
  expect(store.getState().shop.payConfig).toEqual({
    memberGradeId: "2",
    isMonthly: 0,
    isMember: false,
    isNotJump: false,
  });
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "开通会员" })).toBeNull());
});

test("an order that is refused: an alert with its title, and the dialog is gone (MB018, MB019, AM005)", async () => {
  const refusal = { createMemberOrder: { code: 60105, message: "待支付的订单过多，请先支付或取消" } };
  const { dialog, user } = await openDialog({}, refusal);
  await user.click(dialog.getByRole("checkbox", { name: "我已阅读并同意" }));
  await user.click(dialog.getByRole("button", { name: "确认支付" }));
  const alert = await screen.findByRole("alertdialog", { name: "订单提示" });
  expect(alert).toHaveTextContent("待支付的订单过多，请先支付或取消");
  // No additional toast.
  expect(screen.getAllByText("待支付的订单过多，请先支付或取消")).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "开通会员" })).toBeNull());
});

test("60212 made the order all the same: its message, and on to the payment (OR013)", async () => {
  const { dialog, user } = await openDialog(
    {},
    { createMemberOrder: { code: 60212, message: "您有一个相同的订单待支付", datas: { orderId: "o1" } } },
  );
  await user.click(dialog.getByRole("checkbox", { name: "我已阅读并同意" }));
  await user.click(dialog.getByRole("button", { name: "确认支付" }));
  expect(await screen.findByText("您有一个相同的订单待支付")).toBeInTheDocument();
  expect(await screen.findByRole("dialog", { name: "支付" })).toBeInTheDocument();
});

test("a professional member finds his own tab, and cannot buy it (MB011, MB013, AM022, AM023)", async () => {
  const { dialog, user } = await openDialog({
    person: { memberRank: 3, memberGradeName: "专业会员", memberStatus: 1, expirationTime: Date.now() + 1e9 },
  });
  const confirm = dialog.getByRole("button", { name: "确认支付" });
  expect(dialog.getByRole("tab", { name: "专业会员" })).toHaveAttribute("aria-selected", "true");
  expect(confirm).toBeDisabled();
  expect(confirm).toHaveAccessibleDescription("您已是专业会员，到期后可续费");
  await user.click(dialog.getByRole("tab", { name: "基础会员" }));
  expect(confirm).toBeDisabled();
  await user.click(dialog.getByRole("tab", { name: "高级会员" }));
  expect(confirm).toBeEnabled();
});

test("the price page offers what may be bought, and opens the dialog on that tab", async () => {
  answer(
    shopAnswers({
      person: {
        memberRank: 2,
        memberGradeName: "高级会员",
        memberStatus: 1,
        expirationTime: Date.now() + 1e9,
      },
    }),
  );
  const { user } = openSite("/pricePage", { signedIn: true });
  const basic = await screen.findByRole("button", { name: "开通基础会员" });
  await waitFor(() => expect(basic).toBeDisabled());
  expect(basic).toHaveAccessibleDescription("您当前的会员等级高于基础会员，无需购买");
  await user.click(screen.getByRole("button", { name: "升级到专业会员" }));
  const dialog = within(await screen.findByRole("dialog", { name: "开通会员" }));
  expect(await dialog.findByRole("tab", { name: "专业会员" })).toHaveAttribute("aria-selected", "true");
});

test("prices that cannot be read say so, and can be asked for again", async () => {
  let down = true;
  answer({
    ...shopAnswers(),
    selectMemberGradeList: () => (down ? { code: 60500, message: "系统繁忙" } : { datas: grades }),
  });
  const { user } = openSite("/siteMap?buy=basic", { signedIn: true });
  await screen.findByText("会员价格没有读取成功");
  down = false;
  await user.click(screen.getByRole("button", { name: "重试" }));
  expect(await screen.findByText("年卡")).toBeInTheDocument();
});

test("the price page shows what the server sells, and no figure before it has told it (GR034, GR035)", async () => {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const dearer = grades.map((one) => ({
    ...one,
    annualFee: one.annualFee + 1000,
    storageGb: one.storageGb * 2,
  }));
  answer({
    ...shopAnswers(),
    selectMemberGradeList: async () => {
      await told;
      return { datas: dearer };
    },
  });
  openSite("/pricePage");
  const heading = await screen.findByRole("heading", { name: "基础会员" });
  expect(screen.getAllByLabelText("正在读取价格")).toHaveLength(6);
  expect(document.body).not.toHaveTextContent("299");
  tell();
  const card = heading.parentElement?.parentElement as HTMLElement;
  await waitFor(() => expect(card).toHaveTextContent("¥309/年"));
  expect(card).toHaveTextContent("1000 GB 存储空间");
  expect(document.body).toHaveTextContent("每天 0.8 元起。会员处理倾斜摄影最高优惠 50%");
  expect(screen.queryByLabelText("正在读取价格")).toBeNull();
});

test("each tab shows the privileges of its grade (MB002)", async () => {
  const { dialog, user } = await openDialog();
  for (const [name, storage, lighten] of [
    ["基础会员", "500 GB", "180 次/年"],
    ["高级会员", "1 TB", "720 次/年"],
    ["专业会员", "5 TB", "不限次"],
  ] as const) {
    await user.click(dialog.getByRole("tab", { name }));
    const shown = within(dialog.getByLabelText(`${name}权益`));
    expect(shown.getByText(storage)).toBeInTheDocument();
    expect(shown.getAllByText(lighten).length).toBeGreaterThan(0);
  }
  expect(dialog.queryByLabelText("基础会员权益")).toBeNull();
});

test("what a choice does is said with its dates", () => {
  const now = Date.parse("2026-11-22T12:00:00+08:00");
  const ends = Date.parse("2027-03-01T12:00:00+08:00");
  expect(effectOf("basic", "free", null, now)).toContain("有效期至 2027-11-22");
  expect(effectOf("basic", "basic", ends, now)).toContain("从 2027-03-01 延长到 2028-03-01");
  const upgrade = effectOf("advanced", "basic", ends, now);
  expect(upgrade).toContain("立即升级为高级会员，有效期至 2027-11-22");
  expect(upgrade).toContain("基础会员剩余的时间在其后继续");
  expect(effectOf("advanced", "professional", ends, now)).toContain("专业会员于 2027-03-01 到期后开始");
});

test("the gift is taken inside the purchase and used at once (AM086)", async () => {
  let received = false;
  const { dialog, user, heard } = await openDialog(
    { order: order({ couponList: [coupon()] }) },
    {
      hasBeenGotCombinationCoupons: () => ({ datas: received }),
      getCombinationCoupons: () => {
        received = true;
        return { datas: gift };
      },
      list: () => ({ datas: received ? gift : [] }),
    },
  );
  expect(dialog.getByTestId("payable")).toHaveTextContent("¥299");
  const offer = within(await dialog.findByRole("region", { name: "会员优惠券" }));
  expect(offer.getByText(/本单可减 ¥30\.00/)).toBeInTheDocument();
  await user.click(offer.getByRole("button", { name: "领取并使用" }));
  await waitFor(() => expect(dialog.getByTestId("payable")).toHaveTextContent("¥269"));
  expect(heard.filter((call) => call.name === "getCombinationCoupons")).toHaveLength(1);
  await user.click(dialog.getByRole("checkbox", { name: "我已阅读并同意" }));
  await user.click(dialog.getByRole("button", { name: "确认支付" }));
  const payment = within(await screen.findByRole("dialog", { name: "支付" }));
  await waitFor(() => expect(payment.getByTestId("to-pay")).toHaveTextContent("¥269.00"));
  expect(await payment.findByRole("radio", { name: /30元会员优惠券/ })).toBeChecked();
});

test("the table of rights says what everybody has today", async () => {
  const { dialog, user } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "对比会员权益" }));
  const table = within(await screen.findByRole("dialog", { name: "对比会员权益" }));
  for (const name of ["单模型轻量化", "格式转换", "倾斜摄影轻量化", "离线包下载"]) {
    const row = within(table.getByRole("rowheader", { name }).closest("tr") as HTMLElement);
    expect(row.getAllByText(/^限时免费，不限次数/)).toHaveLength(4);
    expect(row.queryByText("不含")).toBeNull();
  }
});
