import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { type PaymentIncome, useLazyListIncomesQuery, useListIncomesQuery } from "@/calls/payment";
import { saveText } from "@/lib/csv";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { DaysFilter, ListPage, ListTabs, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { incomesCsv } from "./csv";
import { Months } from "./Months";
import { INCOME_STATES } from "./states";

/** Rows per call, and maximum number of calls per export. */
const CALL_SIZE = 200;
const MOST_PAGES = 50;

const COLUMNS: readonly Column<PaymentIncome>[] = [
  { key: "time", title: "时间", render: (row) => dateText(row.createTime) },
  { key: "title", title: "模型", render: (row) => row.title },
  { key: "orderNo", title: "订单号", secondary: true, render: (row) => row.orderNo },
  {
    key: "paid",
    title: "买家支付",
    numeric: true,
    secondary: true,
    render: (row) => `¥${formatCents(row.paid)}`,
  },
  { key: "amount", title: "收入", numeric: true, render: (row) => `¥${formatCents(row.amount)}` },
  {
    key: "state",
    title: "状态",
    render: (row) => {
      const state = INCOME_STATES[row.state];
      return (
        <>
          <StatusTag tone={state?.tone}>{state?.text ?? row.state}</StatusTag>
          {row.state === "pending" && (
            <Box sx={{ fontSize: 12, color: "text.secondary" }}>{dateText(row.matureTime)} 结算</Box>
          )}
        </>
      );
    },
  },
];

function Sum({ title, cents, hint }: { title: string; cents: number | undefined; hint: string }) {
  return (
    <Box component="section" aria-label={title} sx={{ p: 2.5, minWidth: 0 }}>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}（元）</Box>
      <Box
        sx={{
          mt: 0.5,
          fontSize: 24,
          lineHeight: "32px",
          fontWeight: 600,
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {cents === undefined ? "—" : formatCents(cents)}
      </Box>
      <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>{hint}</Box>
    </Box>
  );
}

/** The user's income from models: pending amount, available amount, and all sales. */
export function MyIncome() {
  const list = useListAddress({ fields: ["state", "from", "to"], known: { state: INCOME_STATES } });
  const incomes = useListIncomesQuery(list.request, { refetchOnMountOrArgChange: true });
  const [read] = useLazyListIncomesQuery();
  const [saving, setSaving] = useState(false);

  async function save() {
    setSaving(true);
    const rows: PaymentIncome[] = [];
    let total = 1;
    for (let pageNo = 1; rows.length < total && pageNo <= MOST_PAGES; pageNo++) {
      const { data, error } = await read({ ...list.request, pageNo, pageSize: CALL_SIZE });
      if (error || !data) {
        setSaving(false);
        toast.error("导出失败，请稍后再试");
        return;
      }
      rows.push(...data.results);
      total = data.results.length === 0 ? 0 : data.totalCount;
    }
    setSaving(false);
    saveText("模型收入.csv", incomesCsv(rows));
    toast.success(`已导出 ${rows.length} 条收入`);
  }

  const data = incomes.data;
  return (
    <>
      <PageHeader
        title="我的收入"
        note="模型售出 7 天后结算；期间买家未下载可以退款"
        actions={
          <Button variant="contained" component={Link} to="/workbench/account/accountWithdrawals">
            收入提现
          </Button>
        }
      />
      <Panel title="收入概览">
        <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", sm: "repeat(3, 1fr)" } }}>
          <Sum title="待结算" cents={data?.pendingIncome} hint="到期后自动转入可用收入" />
          <Sum title="可用收入" cents={data?.incomeBalance} hint="可以提现，也可以购买模型和会员" />
          <Sum title="待抵扣" cents={data?.debt} hint="已结算后退款的部分，由后续收入抵扣" />
        </Box>
      </Panel>
      <Box sx={{ my: 2 }}>
        <Months />
      </Box>
      <ListPage
        what="收入"
        query={incomes}
        list={list}
        filters={
          <>
            <ListTabs
              list={list}
              name="state"
              label="收入状态"
              tabs={[
                { key: "all", text: "全部" },
                ...Object.entries(INCOME_STATES).map(([key, { text }]) => ({ key, text })),
              ]}
            />
            <DaysFilter list={list} />
            <Button variant="outlined" disabled={saving || !data?.totalCount} onClick={() => void save()}>
              {saving ? "正在导出…" : "导出 CSV"}
            </Button>
          </>
        }
        columns={COLUMNS}
        rowKey={(row) => row.id}
        empty={{
          kind: "results",
          title: "还没有收入",
          hint: "您上架的模型售出后，收入会列在这里。",
          action: (
            <Button variant="outlined" href="/publishCenter">
              去发布中心
            </Button>
          ),
        }}
      />
    </>
  );
}
