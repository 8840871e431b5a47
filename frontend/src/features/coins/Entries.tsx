import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import dayjs from "dayjs";
import { useState } from "react";
import { type PaymentAccountDetail, useQueryAccountDetailsQuery } from "@/calls/payment";
import { FUNCTION_TYPES, functionName, PAY_METHODS, transactionName, transactionTypes } from "@/shop/labels";
import { type Column, DataTable } from "@/ui/DataTable";
import { DateRange, dayEnd, dayStart } from "@/ui/DateRange";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { formatCents } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";

const PAGE_SIZE = 20;
const ALL = "";

interface Filters {
  transactionType: string;
  functionType: string;
  payMethod: string;
  from: string;
  to: string;
}

const NONE: Filters = { transactionType: ALL, functionType: ALL, payMethod: ALL, from: "", to: "" };

const numberOf = (text: string) => (text === ALL ? undefined : Number(text));

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

/** What came in and went out, with the filters of the contract. */
export function Entries() {
  const [filters, setFilters] = useState<Filters>(NONE);
  const [page, setPage] = useState(1);
  const list = useQueryAccountDetailsQuery(
    {
      pageNo: page,
      pageSize: PAGE_SIZE,
      transactionType: numberOf(filters.transactionType),
      functionType: numberOf(filters.functionType),
      payMethod: filters.payMethod,
      beginTime: dayStart(filters.from),
      endTime: dayEnd(filters.to),
    },
    { refetchOnMountOrArgChange: true },
  );
  const filtered = Object.values(filters).some((value) => value !== ALL);
  const set = (change: Partial<Filters>) => {
    setFilters((old) => ({ ...old, ...change }));
    setPage(1);
  };
  const select = (name: "transactionType" | "functionType" | "payMethod", label: string) => ({
    select: true,
    label,
    value: filters[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
    size: "small" as const,
    slotProps: {
      select: { displayEmpty: true, MenuProps: { slotProps: { paper: { sx: { maxHeight: 360 } } } } },
      inputLabel: { shrink: true },
    },
    sx: { minWidth: { xs: "calc(50% - 6px)", sm: 140 }, flex: { xs: 1, sm: "none" } },
  });

  return (
    <>
      <Box
        role="search"
        aria-label="筛选账户明细"
        sx={{ px: 2.5, pt: 1, pb: 2, display: "flex", gap: 1.5, flexWrap: "wrap", alignItems: "center" }}
      >
        <TextField {...select("transactionType", "交易类型")}>
          <MenuItem value={ALL}>全部</MenuItem>
          {transactionTypes().map((type) => (
            <MenuItem key={type.code} value={String(type.code)}>
              {type.name}
            </MenuItem>
          ))}
        </TextField>
        <TextField {...select("functionType", "功能类型")}>
          <MenuItem value={ALL}>全部</MenuItem>
          {FUNCTION_TYPES.map((name, code) => (
            <MenuItem key={name} value={String(code)}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        <TextField {...select("payMethod", "支付方式")}>
          <MenuItem value={ALL}>全部</MenuItem>
          {PAY_METHODS.map((method) => (
            <MenuItem key={method.value} value={method.value}>
              {method.name}
            </MenuItem>
          ))}
        </TextField>
        <DateRange from={filters.from} to={filters.to} onChange={set} />
        {filtered && <Button onClick={() => set(NONE)}>清除条件</Button>}
      </Box>
      {list.isError ? (
        <ReadFailed dense what="账户明细" onRetry={list.refetch} />
      ) : (
        <Box aria-busy={list.isFetching} sx={{ borderTop: 1, borderColor: "divider" }}>
          <DataTable
            caption="账户明细"
            columns={COLUMNS}
            rows={list.data?.results ?? []}
            rowKey={(row) => row.id}
            loading={list.isLoading}
            empty={
              <EmptyState
                dense
                kind={filtered ? "search" : "results"}
                title={filtered ? "没有符合条件的记录" : "还没有收支记录"}
                hint={filtered ? "换一个条件再试。" : "充值、购买后，每一笔都会记在这里。"}
              />
            }
          />
          {(list.data?.totalCount ?? 0) > 0 && (
            <Box sx={{ px: 2.5, pb: 2 }}>
              <Pager total={list.data?.totalCount ?? 0} page={page} pageSize={PAGE_SIZE} onPage={setPage} />
            </Box>
          )}
        </Box>
      )}
    </>
  );
}
