import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import {
  type TransactionApprovalRecord,
  useModelerInfoQuery,
  useModelerRecordsQuery,
} from "@/calls/transaction";
import { useSession } from "@/session";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { ChoiceFilter, ListPage, timeColumn, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { ModelerTabs } from "./Tabs";
import { ACCOUNT_ACTIONS, ACTIONS, wordOf } from "./words";

/** History of the maker's listings and account. */
export function Records() {
  const { loginId } = useSession();
  const list = useListAddress({ fields: ["action"], known: { action: ACTIONS } });
  const records = useModelerRecordsQuery(
    { userId: loginId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const info = useModelerInfoQuery({ userId: loginId });
  return (
    <>
      <PageHeader title="审核记录" note="每个模型提交、通过、退回与上下架的经过，以及审核意见" />
      <ModelerTabs current="records" />
      <ListPage
        what="审核记录"
        query={records}
        list={list}
        filters={<ChoiceFilter list={list} name="action" label="记录类型" all="全部记录" choices={ACTIONS} />}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={{ kind: "results", title: "没有记录", hint: "提交审核后，每一步都记在这里。" }}
        emptyFiltered={{ title: "没有符合条件的记录" }}
      />
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
  timeColumn("at"),
];
