import type { PaymentIncome, PaymentIncomeMonth } from "@/calls/payment";
import { csvText } from "@/lib/csv";
import { dateText } from "@/ui/dateText";
import { INCOME_STATES } from "./states";

const COLUMNS = ["时间", "订单号", "模型", "买家支付（元）", "收入（元）", "状态", "结算时间"];

const yuan = (cents: number) => (cents / 100).toFixed(2);

/** Incomes as CSV. */
export function incomesCsv(rows: readonly PaymentIncome[]): string {
  const lines = rows.map((row) => [
    dateText(row.createTime),
    // The apostrophe keeps spreadsheets from rounding the twenty digits.
    `'${row.orderNo}`,
    row.title,
    yuan(row.paid),
    yuan(row.amount),
    INCOME_STATES[row.state]?.text ?? row.state,
    dateText(row.endTime ?? row.matureTime),
  ]);
  return csvText([COLUMNS, ...lines]);
}

const MONTH_COLUMNS = ["月份", "售出", "销售收入（元）", "已结算（元）", "已冲回（元）", "已提现（元）"];

/** Monthly statement as CSV, one line per month. */
export function monthsCsv(rows: readonly PaymentIncomeMonth[]): string {
  const lines = rows.map((row) => [
    // The apostrophe keeps spreadsheets from parsing it as a date.
    `'${row.month}`,
    String(row.sales),
    ...[row.earned, row.matured, row.reversed, row.withdrawn].map(yuan),
  ]);
  return csvText([MONTH_COLUMNS, ...lines]);
}
