import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { type TransactionModelerOrder, useModelerOrdersQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import type { Column } from "@/ui/DataTable";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, SearchFilter, timeColumn, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { ModelerTabs } from "./Tabs";
import { GRANT_STATES, WAYS, wordOf } from "./words";

const HERE = "/workbench/modelMaker/order";
const NONE_FOUND = "没有符合条件的订单";
const HINT = "用户购买或免费领取您的模型后，会出现在这里。";

/** Users who got the maker's models, with what they paid. */
export function Orders() {
  const { loginId } = useSession();
  const list = useListAddress({ fields: ["keyword"], tab: "way", known: { way: WAYS } });
  const { way } = list.values;
  const orders = useModelerOrdersQuery(
    { userId: loginId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const counts = orders.data?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + Number(count), 0);
  // Hides unused ways, except the two that every maker expects.
  const ways = Object.keys(WAYS).filter(
    (one) => ["paid", "free"].includes(one) || counts[one] || one === way,
  );
  const figures = orders.data;
  return (
    <>
      <PageHeader
        title="用户订单"
        note={
          figures &&
          `现有 ${figures.buyers.toLocaleString("zh-CN")} 位用户拥有您的模型，共售出 ¥${formatCents(figures.paidSum)}；已退还的不计入。用户编号已隐去。`
        }
      />
      <ModelerTabs current="order" />
      <ListPage
        what="用户订单"
        query={orders}
        list={list}
        tabs={
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
        }
        filters={<SearchFilter list={list} name="keyword" label="按模型名称搜索" />}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={{ kind: "results", title: way ? NONE_FOUND : "还没有用户订单", hint: HINT }}
        emptyFiltered={{ title: NONE_FOUND, hint: HINT }}
      />
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
  timeColumn("gotAt"),
];
