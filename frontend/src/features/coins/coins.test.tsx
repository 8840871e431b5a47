import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { centsOf, priceLimit } from "@/lib/yuan";
import { answer } from "@/test/server";
import { order, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { amountProblem } from "./amount";

const PATH = "/workbench/account/accountRecharge";

test("a price keeps 5 digits and 2 decimals (AC011, AC012)", () => {
  expect(priceLimit("1.234")).toBe("1.23");
  expect(priceLimit("123456.789")).toBe("12345.78");
  expect(priceLimit("a-1,2元")).toBe("12");
  expect(priceLimit(".5")).toBe("0.5");
  expect(priceLimit("1.2.3")).toBe("1.23");
});

test("yuan become cents without a fraction in between", () => {
  expect(centsOf("0.29")).toBe(29);
  expect(centsOf("19.9")).toBe(1990);
  expect(centsOf("8.")).toBe(800);
  expect(centsOf("1e3")).toBeUndefined();
  expect(amountProblem("")).toBe("请输入充值金额");
  expect(amountProblem("0.99")).toBe("充值金额应在 1.00 元到 99,999.99 元之间");
  expect(amountProblem("99999.99")).toBeUndefined();
});

const entry = {
  id: "e1",
  createTime: Date.now(),
  transactionType: 12,
  functionType: 4,
  payMethod: "balance",
  amount: -26900,
  balance: 273100,
  orderNo: "n",
  description: "基础会员（年卡）",
};

async function openCoins(entries: unknown[] = [entry], more = {}) {
  const heard = answer({
    ...shopAnswers(),
    queryAccountDetails: { datas: { totalCount: entries.length, results: entries } },
    ...more,
  });
  const page = openSite(PATH, { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "账户充值" });
  return { ...page, heard };
}

test("the balance in yuan, and each entry with its sign", async () => {
  await openCoins([
    entry,
    { ...entry, id: "e2", transactionType: 0, amount: 10000, description: "云币到账" },
  ]);
  await waitFor(() => expect(screen.getByTestId("coins")).toHaveTextContent("123.45"));
  const table = within(await screen.findByRole("table", { name: "账户明细" }));
  expect(table.getByRole("row", { name: /基础会员（年卡）.*-269.00.*2,731.00/ })).toBeInTheDocument();
  expect(table.getByRole("row", { name: /充值.*云币到账.*\+100.00/ })).toBeInTheDocument();
});

test("a recharge is ordered in cents, and paid", async () => {
  const recharge = order({ orderId: "r1", functionModule: 0, orderType: 0, canUseCoupon: false });
  const { user, heard, store } = await openCoins([], { createRechargeOrder: { datas: recharge } });
  const field = screen.getByLabelText("其他金额");
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "充值" }));
  expect(await screen.findByText("请输入充值金额")).toBeInTheDocument();
  await user.type(field, "12.345");
  expect(field).toHaveValue("12.34");
  await user.click(screen.getByRole("button", { name: "¥500" }));
  expect(field).toHaveValue("500");
  await user.click(screen.getByRole("button", { name: "充值" }));
  await waitFor(() => expect(store.getState().shop.payment.orderId).toBe("r1"));
  expect(heard.find((call) => call.name === "createRechargeOrder")?.form).toMatchObject({
    amount: "50000",
    orderType: "0",
  });
});

test("all 44 transaction types can be asked for, four pay methods, six functions (AC004 to AC010)", async () => {
  const { user, heard, at } = await openCoins([]);
  await user.click(await screen.findByRole("combobox", { name: "交易类型" }));
  const types = screen.getAllByRole("option");
  expect(types).toHaveLength(45);
  await user.click(screen.getByRole("option", { name: "模型购买" }));
  await waitFor(() => expect(heard.at(-1)?.form.transactionType).toBe("10"));
  await user.click(screen.getByRole("combobox", { name: "支付方式" }));
  expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual([
    "全部",
    "支付宝",
    "微信",
    "余额",
    "银行卡",
  ]);
  await user.click(screen.getByRole("option", { name: "银行卡" }));
  await waitFor(() => expect(heard.at(-1)?.form.payMethod).toBe("bankCard"));
  await user.click(screen.getByRole("combobox", { name: "功能类型" }));
  expect(screen.getAllByRole("option")).toHaveLength(7);
  await user.click(screen.getByRole("option", { name: "会员" }));
  await waitFor(() => expect(heard.at(-1)?.form.functionType).toBe("4"));
  expect(await screen.findByText("没有符合条件的记录")).toBeInTheDocument();
  expect(at()).toBe(`${PATH}?type=10&method=bankCard&function=4`);
});

test("entries that cannot be read say so", async () => {
  await openCoins([], { queryAccountDetails: { code: 60500, message: "系统繁忙" } });
  expect(await screen.findByText("账户明细没有读取成功")).toBeInTheDocument();
});
