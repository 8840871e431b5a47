import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { Thumb } from "@/ui/Thumb";
import {
  type TransactionListingItem,
  transactionApi,
  useListingSearchQuery,
} from "../../api/generated/transaction";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { Maker } from "./Maker";
import { LICENSES, ORIGINS, pathOf, priceText, STATES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

/** The default filter: includes listed models with a pending version. */
const WAITING = "waiting";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "名称或 ID", placeholder: "名称、模型 ID 或作者 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: WAITING,
    choices: [{ value: WAITING, text: "待审核" }, ...STATES.filter(({ value }) => value !== "submitted")],
  },
];

const COLUMNS: readonly ListColumn<TransactionListingItem>[] = [
  {
    key: "name",
    title: "模型",
    render: ({ listing }) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: 180 }}>
        <Thumb src={listing.thumbUrl} size={40} />
        <RowLink to={pathOf(listing.listingId)}>{listing.name}</RowLink>
      </Box>
    ),
    csv: ({ listing }) => listing.name,
  },
  {
    key: "maker",
    title: "作者",
    secondary: true,
    render: ({ listing }) => <Maker of={listing} />,
    csv: ({ listing }) => listing.sellerName || listing.seller,
  },
  {
    key: "what",
    title: "内容",
    render: (item) => (item.reviewedVersion > 1 ? `第 ${item.reviewedVersion} 版` : "首次提交"),
    secondary: true,
  },
  {
    key: "state",
    title: "状态",
    render: ({ state }) => <State words={STATES} value={state} />,
    csv: ({ state }) => wordOf(STATES, state).text,
  },
  {
    key: "price",
    title: "价格",
    numeric: true,
    render: ({ listing }) => priceText(listing.price),
    csv: ({ listing }) => priceText(listing.price),
  },
  {
    key: "license",
    title: "授权",
    secondary: true,
    render: ({ listing }) => wordOf(LICENSES, listing.license).text,
    csv: ({ listing }) => wordOf(LICENSES, listing.license).text,
  },
  {
    key: "origin",
    title: "来源",
    secondary: true,
    render: ({ listing }) => wordOf(ORIGINS, listing.origin).text,
    csv: ({ listing }) => wordOf(ORIGINS, listing.origin).text,
  },
  {
    key: "score",
    title: "体检",
    numeric: true,
    secondary: true,
    render: ({ listing }) => listing.score,
    csv: ({ listing }) => listing.score,
  },
  {
    key: "who",
    title: "审核人",
    secondary: true,
    render: ({ claimedBy }) => shown(claimedBy),
    csv: ({ claimedBy }) => claimedBy,
  },
  {
    key: "time",
    title: "时间",
    numeric: true,
    render: (item) => (item.submittedAt > 0 ? ago(item.submittedAt) : minute(item.listing.updatedAt)),
    csv: (item) => minute(item.submittedAt || item.listing.updatedAt),
  },
];

/** Listings pending review, the oldest first; or those in one state. */
export default function QueuePage() {
  const list = useList(FILTERS);
  const chosen = list.values.state;
  const narrowed = { text: list.values.text, state: chosen === WAITING ? "" : chosen };
  const query = useListingSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="模型审核"
        note={page && (page.waiting > 0 ? `${page.waiting} 个模型等待审核` : "没有等待审核的模型")}
        actions={
          <>
            <Button component={Link} to="/mall/modelers" size="small" variant="outlined" color="inherit">
              模型师
            </Button>
            <Button component={Link} to="/mall/categories" size="small" variant="outlined" color="inherit">
              管理分类
            </Button>
          </>
        }
      />
      <List
        id="mall"
        what="模型"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ listing }) => listing.listingId}
        result={page && { rows: page.listings, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有等待审核的模型" />}
        fetchPage={async (after) => {
          const { listings, next } = await runQuery(
            transactionApi.endpoints.listingSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: listings, next };
        }}
      />
    </>
  );
}
