import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentIncome, PaymentIncomeMonth } from "@/calls/payment";
import { answer, type HeardCall } from "@/test/server";
import { shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { standIn, standInObjectUrls } from "@/test/standIn";
import { incomesCsv, monthsCsv } from "./csv";

const sale = (id: string, state: string, amount: number): PaymentIncome => ({
  id,
  createTime: Date.UTC(2026, 10, 20),
  orderNo: `20261120${id}`,
  title: `直齿轮${id}`,
  amount,
  paid: amount * 2,
  state,
  matureTime: Date.UTC(2026, 10, 27),
  endTime: null,
});

const month = (name: string, sales: number): PaymentIncomeMonth => ({
  month: name,
  beginTime: 1,
  sales,
  earned: sales * 700,
  matured: sales * 100,
  reversed: 0,
  withdrawn: 5000,
});
const MONTHS = [month("2026-10", 3), month("2026-11", 5)];

const ALL = [sale("1", "pending", 700), sale("2", "matured", 1400), sale("3", "reversed", 350)];

function incomeList({ form }: HeardCall) {
  const results = ALL.filter((row) => !form.state || row.state === form.state);
  return {
    datas: { totalCount: results.length, results, pendingIncome: 700, incomeBalance: 1400, debt: 350 },
  };
}

async function open(address = "/workbench/myIncome") {
  const months = { datas: { results: MONTHS } };
  const heard = answer({ ...shopAnswers(), incomeList, months });
  const page = openSite(address, { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "我的收入" });
  return { ...page, heard };
}

test("what is pending stands beside what can be spent, and each sale with its state (P23, MD008)", async () => {
  await open();
  const sum = async (name: string) => within(await screen.findByRole("region", { name }));
  expect(await (await sum("待结算")).findByText("7.00")).toBeInTheDocument();
  expect((await sum("可用收入")).getByText("14.00")).toBeInTheDocument();
  expect((await sum("待抵扣")).getByText("3.50")).toBeInTheDocument();
  const rows = within(await screen.findByRole("table", { name: "收入" }))
    .getAllByRole("row")
    .slice(1);
  expect(rows.map((row) => within(row).getByText(/已|待/).textContent)).toEqual([
    "待结算",
    "已结算",
    "已冲回",
  ]);
});

test("narrowed by state, and saved as a table", async () => {
  const { user, heard } = await open();
  await user.click(await screen.findByRole("tab", { name: "已结算" }));
  await waitFor(() => expect(heard.some((call) => call.form.state === "matured")).toBe(true));
  const made = vi.fn((_blob: Blob) => "blob:1");
  standInObjectUrls("blob:1");
  standIn(URL, "createObjectURL", made);
  await user.click(screen.getByRole("button", { name: "导出 CSV" }));
  await screen.findByText("已导出 1 条收入");
  expect(made).toHaveBeenCalledOnce();
});

test("no cell of the table is a formula", () => {
  const text = incomesCsv([{ ...sale("1", "pending", 700), title: "=1+1" }]);
  expect(text).toContain("'=1+1");
  expect(text).toContain("7.00");
});

test("each month stands as a bar, and as a line of the statement", async () => {
  await open();
  const panel = within(await screen.findByRole("region", { name: "月度收入" }));
  expect(await panel.findByRole("table")).toHaveTextContent("2026-11");
  expect(panel.getByRole("button", { name: "导出月报 CSV" })).toBeEnabled();
  expect(monthsCsv(MONTHS)).toContain("5,35.00,5.00,0.00,50.00");
});
