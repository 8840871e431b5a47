import Box from "@mui/material/Box";
import dayjs from "dayjs";
import { type PaymentAccountDetail, useQueryAccountDetailsQuery } from "@/calls/payment";
import { FUNCTION_TYPES, functionName, PAY_METHODS, transactionName, transactionTypes } from "@/shop/labels";
import type { Column } from "@/ui/DataTable";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { ChoiceFilter, DaysFilter, ListPage, useListAddress } from "@/ui/list";
import { formatCents } from "@/ui/Price";

const numberOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined);

export function signedCents(cents: number): string {
  return `${cents > 0 ? "+" : ""}${formatCents(cents)}`;
}

const COLUMNS: readonly Column<PaymentAccountDetail>[] = [
  {
    key: "time",
    title: "时间",
    render: (row) => (
      <Box component="span" sx={{ whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}>
        {dayjs(row.createTime).format("YYYY-MM-DD HH:mm")}
      </Box>
    ),
  },
  { key: "type", title: "交易类型", render: (row) => transactionName(row.transactionType) },
  { key: "what", title: "说明", render: (row) => row.description },
  { key: "function", title: "功能", secondary: true, render: (row) => functionName(row.functionType) },
  {
    key: "method",
    title: "支付方式",
    secondary: true,
    render: (row) => PAY_METHODS.find((method) => method.value === row.payMethod)?.name ?? "—",
  },
  {
    key: "amount",
    title: "金额（元）",
    numeric: true,
    render: (row) => (
      <Box component="span" sx={{ color: row.amount > 0 ? "#15803D" : "text.primary", fontWeight: 500 }}>
        {signedCents(row.amount)}
      </Box>
    ),
  },
  {
    key: "balance",
    title: "余额（元）",
    numeric: true,
    secondary: true,
    render: (row) => (row.balance === null ? "—" : formatCents(row.balance)),
  },
];

/** Account entries, with the filters of the contract. */
export function Entries() {
  const list = useListAddress({ fields: ["type", "function", "method", "from", "to"] });
  const { type, function: functionType, method, from, to } = list.values;
  const entries = useQueryAccountDetailsQuery(
    {
      pageNo: list.page,
      pageSize: list.pageSize,
      transactionType: numberOf(type),
      functionType: numberOf(functionType),
      payMethod: method,
      beginTime: dayStart(from),
      endTime: dayEnd(to),
    },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <ListPage
      dense
      what="账户明细"
      query={entries}
      list={list}
      filters={
        <>
          <ChoiceFilter
            list={list}
            name="type"
            label="交易类型"
            choices={transactionTypes().map(({ code, name }) => ({ value: String(code), text: name }))}
          />
          <ChoiceFilter list={list} name="function" label="功能类型" choices={FUNCTION_TYPES} />
          <ChoiceFilter
            list={list}
            name="method"
            label="支付方式"
            choices={PAY_METHODS.map(({ value, name }) => ({ value, text: name }))}
          />
          <DaysFilter list={list} />
        </>
      }
      columns={COLUMNS}
      rowKey={(row) => row.id}
      empty={{ kind: "results", title: "还没有收支记录", hint: "充值、购买后，每一笔都会记在这里。" }}
      emptyFiltered={{ title: "没有符合条件的记录" }}
    />
  );
}
