import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { Link as RouterLink } from "react-router";
import {
  type TransactionApprovalRecord,
  useModelerInfoQuery,
  useModelerRecordsQuery,
} from "@/calls/transaction";
import { useSession } from "@/session";
import { type Column, DataTable } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useQueryFields } from "@/ui/useQueryFields";
import { Frame } from "./MyListings";
import { ModelerTabs } from "./Tabs";
import { ACCOUNT_ACTIONS, ACTIONS, wordOf } from "./words";

const PAGE_SIZE = 20;

/** What happened to the maker's listings, and to the account. */
export function Records() {
  const { loginId } = useSession();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const asked = query.get("action") ?? "";
  const action = asked in ACTIONS ? asked : "";
  const records = useModelerRecordsQuery(
    { userId: loginId, action, pageNo: page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const info = useModelerInfoQuery({ userId: loginId });
  return (
    <>
      <PageHeader title="审核记录" note="每个模型提交、通过、退回与上下架的经过，以及审核意见" />
      <ModelerTabs current="records" />
      <TextField
        select
        size="small"
        value={action}
        onChange={(event) => set({ action: event.target.value, page: undefined })}
        sx={{ width: 180, mb: 2 }}
        slotProps={{ select: { displayEmpty: true }, htmlInput: { "aria-label": "记录类型" } }}
      >
        <MenuItem value="">全部记录</MenuItem>
        {Object.entries(ACTIONS).map(([value, { text }]) => (
          <MenuItem key={value} value={value}>
            {text}
          </MenuItem>
        ))}
      </TextField>
      {records.isError && !records.isFetching ? (
        <ReadFailed what="审核记录" onRetry={() => void records.refetch()} />
      ) : (
        <>
          <Frame>
            <DataTable
              caption="审核记录"
              columns={COLUMNS}
              rows={records.currentData?.results ?? []}
              rowKey={({ id }) => id}
              loading={!records.currentData}
              empty={<EmptyState kind="results" title="没有记录" hint="提交审核后，每一步都记在这里。" />}
            />
          </Frame>
          <Pager
            total={records.data?.totalCount ?? 0}
            page={page}
            pageSize={PAGE_SIZE}
            onPage={(n) => set({ page: n > 1 ? String(n) : undefined })}
          />
        </>
      )}
      {(info.data?.records.length ?? 0) > 0 && (
        <Box sx={{ mt: 3 }}>
          <Panel title="账户记录">
            <Box component="ol" sx={{ listStyle: "none", m: 0, px: 2.5, pb: 2 }}>
              {info.data?.records.map((one) => (
                <Box component="li" key={`${one.at}${one.action}`} sx={{ py: 1 }}>
                  <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: 1 }}>
                    <StatusTag tone={wordOf(ACCOUNT_ACTIONS, one.action).tone}>
                      {wordOf(ACCOUNT_ACTIONS, one.action).text}
                    </StatusTag>
                    <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
                      {dateText(one.at)}
                    </Box>
                  </Box>
                  {one.reason && (
                    <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
                      {one.reason}
                    </Box>
                  )}
                </Box>
              ))}
            </Box>
          </Panel>
        </Box>
      )}
    </>
  );
}

const COLUMNS: readonly Column<TransactionApprovalRecord>[] = [
  {
    key: "name",
    title: "模型",
    render: (row) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 180 } }}>
        <Thumb src={row.thumbUrl} size={40} />
        {row.state === "removed" ? (
          row.name
        ) : (
          <Link
            component={RouterLink}
            to={`/publishCenter/details?listingId=${encodeURIComponent(row.listingId)}`}
            sx={{ overflowWrap: "anywhere" }}
          >
            {row.name}
          </Link>
        )}
      </Box>
    ),
  },
  {
    key: "action",
    title: "经过",
    render: ({ action }) => (
      <StatusTag tone={wordOf(ACTIONS, action).tone}>{wordOf(ACTIONS, action).text}</StatusTag>
    ),
  },
  { key: "version", title: "版本", secondary: true, render: ({ version }) => `第 ${version} 版` },
  {
    key: "reason",
    title: "说明",
    render: ({ reason }) => <Box sx={{ overflowWrap: "anywhere" }}>{reason || "—"}</Box>,
  },
  { key: "time", title: "时间", numeric: true, secondary: true, render: ({ at }) => dateText(at) },
];
