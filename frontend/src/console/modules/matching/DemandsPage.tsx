import Button from "@mui/material/Button";
import { Link } from "react-router";
import { type MatchupDemandItem, matchupApi, useDemandSearchQuery } from "../../api/generated/matchup";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { DEMAND_STATES, demandPath } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;
const WAITING = "review";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "标题或 ID", placeholder: "标题、需求 ID 或发布者 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: WAITING,
    choices: [...DEMAND_STATES, { value: "all", text: "全部" }],
  },
];

const COLUMNS: readonly ListColumn<MatchupDemandItem>[] = [
  {
    key: "title",
    title: "需求",
    render: ({ demand }) => (
      <RowLink to={demandPath(demand?.demandId ?? "")}>{demand?.title || "未填写标题"}</RowLink>
    ),
    csv: ({ demand }) => demand?.title ?? "",
  },
  {
    key: "category",
    title: "类别",
    secondary: true,
    render: ({ demand }) => demand?.category || "—",
    csv: ({ demand }) => demand?.category ?? "",
  },
  {
    key: "owner",
    title: "发布者",
    secondary: true,
    render: ({ demand }) => demand?.nickname || "—",
    csv: ({ owner }) => owner,
  },
  {
    key: "state",
    title: "状态",
    render: ({ demand }) => <State words={DEMAND_STATES} value={demand?.state ?? ""} />,
    csv: ({ demand }) => wordOf(DEMAND_STATES, demand?.state ?? "").text,
  },
  {
    key: "suspects",
    title: "可疑词语",
    render: ({ suspects }) => suspects.join("、") || "—",
    csv: ({ suspects }) => suspects.join(" "),
  },
  {
    key: "time",
    title: "时间",
    numeric: true,
    render: ({ submittedAt, demand }) =>
      submittedAt > 0 ? ago(submittedAt) : minute(demand?.updatedAt ?? 0),
    csv: ({ submittedAt, demand }) => minute(submittedAt || (demand?.updatedAt ?? 0)),
  },
];

/** Needs pending review, the oldest first; or those in one state. */
export default function DemandsPage() {
  const list = useList(FILTERS);
  const chosen = list.values.state;
  const narrowed = { text: list.values.text, state: chosen };
  const query = useDemandSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="需求审核"
        note={page && (page.waiting > 0 ? `${page.waiting} 个需求等待审核` : "没有等待审核的需求")}
        actions={
          <Button component={Link} to="/matching/providers" size="small" variant="outlined" color="inherit">
            服务商
          </Button>
        }
      />
      <List
        id="matching-demands"
        what="需求"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ demand }) => demand?.demandId ?? ""}
        result={page && { rows: page.demands, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有等待审核的需求" />}
        fetchPage={async (after) => {
          const { demands, next } = await runQuery(
            matchupApi.endpoints.demandSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: demands, next };
        }}
      />
    </>
  );
}
