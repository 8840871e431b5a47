import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { Link as RouterLink } from "react-router";
import { type TransactionModelerOrder, useModelerOrdersQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import { type Column, DataTable } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { formatCents } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useQueryFields } from "@/ui/useQueryFields";
import { Frame } from "./MyListings";
import { ModelerTabs } from "./Tabs";
import { GRANT_STATES, WAYS, wordOf } from "./words";

const PAGE_SIZE = 20;
const HERE = "/workbench/modelMaker/order";

/** Who got the maker's models, and what was paid for them. */
export function Orders() {
  const { loginId } = useSession();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const asked = query.get("way") ?? "";
  const way = asked in WAYS ? asked : "";
  const keyword = query.get("keyword") ?? "";
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  const orders = useModelerOrdersQuery(
    { userId: loginId, way, keyword, pageNo: page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const counts = orders.data?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + Number(count), 0);
  // Ways that were never used are not offered, but for the two that every maker looks for.
  const ways = Object.keys(WAYS).filter(
    (one) => ["paid", "free"].includes(one) || counts[one] || one === way,
  );
  const told = orders.data;
  return (
    <>
      <PageHeader
        title="用户订单"
        note={
          told &&
          `现有 ${told.buyers.toLocaleString("zh-CN")} 位用户拥有您的模型，共售出 ¥${formatCents(told.paidSum)}；已退还的不计入。用户编号已隐去。`
        }
      />
      <ModelerTabs current="order" />
      <LinkTabs
        label="获得方式"
        current={way}
        tabs={[
          { id: "", text: "全部", to: HERE, count: all },
          ...ways.map((id) => ({
            id,
            text: WAYS[id] ?? id,
            to: `${HERE}?way=${id}`,
            count: Number(counts[id] ?? 0),
          })),
        ]}
      />
      <Box
        component="form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          set({ keyword: text.trim(), page: undefined });
        }}
        sx={{ my: 2 }}
      >
        <TextField
          size="small"
          placeholder="按模型名称搜索"
          value={text}
          onChange={(event) => setText(event.target.value)}
          sx={{ width: { xs: "100%", sm: 280 } }}
          slotProps={{ htmlInput: { "aria-label": "按模型名称搜索", maxLength: 50 } }}
        />
      </Box>
      {orders.isError && !orders.isFetching ? (
        <ReadFailed what="用户订单" onRetry={() => void orders.refetch()} />
      ) : (
        <>
          <Frame>
            <DataTable
              caption="用户订单"
              columns={COLUMNS}
              rows={orders.currentData?.results ?? []}
              rowKey={({ id }) => id}
              loading={!orders.currentData}
              empty={
                <EmptyState
                  kind="results"
                  title={way || keyword ? "没有符合条件的订单" : "还没有用户订单"}
                  hint="用户购买或免费领取您的模型后，会出现在这里。"
                />
              }
            />
          </Frame>
          <Pager
            total={told?.totalCount ?? 0}
            page={page}
            pageSize={PAGE_SIZE}
            onPage={(n) => set({ page: n > 1 ? String(n) : undefined })}
          />
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<TransactionModelerOrder>[] = [
  {
    key: "model",
    title: "模型",
    render: (row) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 180 } }}>
        <Thumb src={row.preview} size={40} />
        <Link
          component={RouterLink}
          to={`/publishCenter/details?listingId=${encodeURIComponent(row.modelId)}`}
          sx={{ overflowWrap: "anywhere" }}
        >
          {row.modelName}
        </Link>
      </Box>
    ),
  },
  { key: "buyer", title: "用户", render: ({ buyer }) => buyer },
  { key: "way", title: "方式", render: ({ way }) => WAYS[way] ?? way },
  {
    key: "price",
    title: "金额",
    numeric: true,
    render: ({ price }) => (price > 0 ? `¥${formatCents(price)}` : "—"),
  },
  {
    key: "state",
    title: "状态",
    secondary: true,
    render: ({ state }) => (
      <StatusTag tone={wordOf(GRANT_STATES, state).tone}>{wordOf(GRANT_STATES, state).text}</StatusTag>
    ),
  },
  { key: "time", title: "时间", numeric: true, secondary: true, render: ({ gotAt }) => dateText(gotAt) },
];
