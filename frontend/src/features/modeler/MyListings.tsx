import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { Link as RouterLink, useNavigate } from "react-router";
import {
  type TransactionMakerListing,
  useListingCountsQuery,
  useModelerOrdersQuery,
  useMyListingsQuery,
} from "@/calls/listings";
import { useIntegralInfoQuery } from "@/calls/personal";
import { PointsDialog } from "@/features/invitation";
import { useSession } from "@/session";
import { modelPath } from "@/shop/paths";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { ModelerTabs } from "./Tabs";
import { STATES, wordOf } from "./words";

const HERE = "/workbench/modelMaker";

/** The maker's current and former listings with their sales. `points`: opens the points history. */
export function MyListings({ points = false }: { points?: boolean }) {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const list = useListAddress({ tab: "state", known: { state: STATES } });
  const { state } = list.values;
  const listings = useMyListingsQuery(
    { userId: loginId, isRelase: "true", ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const counts = useListingCountsQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  const tabs = [
    { id: "", text: "全部", to: HERE, count: Number(counts.data?.released ?? 0) },
    ...Object.entries(STATES).map(([id, { text }]) => ({
      id,
      text,
      to: `${HERE}?state=${id}`,
      count: Number(counts.data?.counts[id] ?? 0),
    })),
  ];
  return (
    <>
      <PageHeader
        title="我的上架"
        note="商城展示和展示过的模型；改资料、上下架在发布中心"
        actions={
          <Button component={RouterLink} to="/publishCenter/toBeReleased?isRelase=true" variant="contained">
            去发布中心管理
          </Button>
        }
      />
      <ModelerTabs current="listings" />
      <Figures />
      <ListPage
        what="上架的模型"
        caption="我的上架"
        query={listings}
        list={list}
        tabs={<LinkTabs label="上架状态" current={state} tabs={tabs} />}
        columns={COLUMNS}
        rowKey={({ listing }) => listing.listingId}
        empty={{
          title: state ? "没有这种状态的模型" : "还没有上架过模型",
          hint: "源文件体检通过后补全资料、提交审核，通过后出现在这里。",
          action: (
            <Button component={RouterLink} to="/publishCenter" variant="contained">
              去发布中心
            </Button>
          ),
        }}
      />
      {points && <PointsDialog onClose={() => navigate(HERE)} />}
    </>
  );
}

const COLUMNS: readonly Column<TransactionMakerListing>[] = [
  {
    key: "name",
    title: "模型",
    render: ({ listing, state }) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 180 } }}>
        <Thumb src={listing.thumbUrl} />
        <Link
          component={RouterLink}
          to={
            state === "listed"
              ? modelPath(listing.listingId)
              : `/publishCenter/details?listingId=${encodeURIComponent(listing.listingId)}`
          }
          sx={{ overflowWrap: "anywhere" }}
        >
          {listing.name}
        </Link>
      </Box>
    ),
  },
  {
    key: "state",
    title: "状态",
    render: ({ state }) => (
      <StatusTag tone={wordOf(STATES, state).tone}>{wordOf(STATES, state).text}</StatusTag>
    ),
  },
  {
    key: "price",
    title: "价格",
    numeric: true,
    render: ({ listing }) => (listing.price > 0 ? `¥${formatCents(listing.price)}` : "免费"),
  },
  { key: "sold", title: "售出", numeric: true, render: ({ listing }) => listing.sold },
  {
    key: "favourites",
    title: "收藏",
    numeric: true,
    secondary: true,
    render: ({ listing }) => listing.favourites,
  },
  {
    key: "stars",
    title: "评分",
    numeric: true,
    secondary: true,
    render: ({ listing }) =>
      listing.ratingCount > 0
        ? `${(listing.ratingSum / listing.ratingCount).toFixed(1)}（${listing.ratingCount}）`
        : "—",
  },
  {
    key: "listed",
    title: "上架时间",
    numeric: true,
    secondary: true,
    render: ({ listing }) => dateText(listing.listedAt),
  },
];

/** Summary of sales and points. */
function Figures() {
  const { loginId } = useSession();
  const orders = useModelerOrdersQuery({ userId: loginId, pageNo: 1, pageSize: 1 });
  const points = useIntegralInfoQuery({ pageNo: 1, pageSize: 10 });
  const figures = orders.data;
  return (
    <Box
      sx={{
        mb: 3,
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) minmax(0, 1fr) minmax(0, 2fr)" },
      }}
    >
      <Figure label="售出金额" value={figures ? `¥${formatCents(figures.paidSum)}` : "—"} />
      <Figure label="用户" value={figures ? figures.buyers.toLocaleString("zh-CN") : "—"} />
      <Figure label="积分" value={points.data ? points.data.integral.toLocaleString("zh-CN") : "—"}>
        <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>
          注册、首个模型通过体检、成功邀请好友各得一次积分，同一件事只计一次；积分目前只作记录，不能兑换或抵扣。
        </Box>
        <Button component={RouterLink} to={`${HERE}/integralRecordDialog`} size="small" sx={{ ml: -0.75 }}>
          积分记录
        </Button>
      </Figure>
    </Box>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children?: React.ReactNode }) {
  return (
    <Box sx={{ p: 2.5, border: 1, borderColor: "divider", borderRadius: 2, bgcolor: "background.paper" }}>
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>{label}</Box>
      <Box className="tabular" sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
        {value}
      </Box>
      {children}
    </Box>
  );
}
