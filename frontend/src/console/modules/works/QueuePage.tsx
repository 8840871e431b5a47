import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { Thumb } from "@/ui/Thumb";
import { useWorkSearchQuery, type WorksWorkItem, worksApi } from "../../api/generated/works";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { EDIT_STATES, pathOf, STATES, TYPES, VISIBILITIES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;
/** The default filter: includes published works with pending changes. */
const WAITING = "review";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "名称或 ID", placeholder: "名称、作品 ID 或作者 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: WAITING,
    choices: [
      { value: WAITING, text: "待审核" },
      { value: "reported", text: "被举报" },
      { value: "all", text: "全部" },
      ...STATES.filter(({ value }) => value !== "review"),
    ],
  },
];

const COLUMNS: readonly ListColumn<WorksWorkItem>[] = [
  {
    key: "name",
    title: "作品",
    render: ({ card }) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: 180 }}>
        <Thumb src={card.preview || card.pcPreview} size={40} />
        <RowLink to={pathOf(card.id)}>{card.name || "未命名"}</RowLink>
      </Box>
    ),
    csv: ({ card }) => card.name,
  },
  {
    key: "type",
    title: "类型",
    secondary: true,
    render: ({ card }) => wordOf(TYPES, String(card.type)).text,
    csv: ({ card }) => wordOf(TYPES, String(card.type)).text,
  },
  {
    key: "state",
    title: "状态",
    render: ({ state, editState }) => (
      <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
        <State words={STATES} value={state} />
        {editState !== "" && <State words={EDIT_STATES} value={editState} />}
      </Box>
    ),
    csv: ({ state }) => wordOf(STATES, state).text,
  },
  {
    key: "visibility",
    title: "可见范围",
    secondary: true,
    render: ({ visibility }) => wordOf(VISIBILITIES, visibility).text,
    csv: ({ visibility }) => wordOf(VISIBILITIES, visibility).text,
  },
  {
    key: "reports",
    title: "举报",
    numeric: true,
    render: ({ reports }) => reports,
    csv: ({ reports }) => reports,
  },
  {
    key: "recommended",
    title: "推荐",
    secondary: true,
    render: ({ recommended }) => (recommended ? "是" : "—"),
    csv: ({ recommended }) => (recommended ? "是" : ""),
  },
  {
    key: "time",
    title: "时间",
    numeric: true,
    render: ({ submittedAt, updatedAt }) => (submittedAt > 0 ? ago(submittedAt) : minute(updatedAt)),
    csv: ({ submittedAt, updatedAt }) => minute(submittedAt || updatedAt),
  },
];

/** Works pending review, the oldest first; or those in one state. */
export default function QueuePage() {
  const list = useList(FILTERS);
  const may = useMay();
  const chosen = list.values.state;
  const narrowed = { text: list.values.text, state: chosen };
  const query = useWorkSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="作品审核"
        note={page && (page.waiting > 0 ? `${page.waiting} 个作品等待审核` : "没有等待审核的作品")}
        actions={
          <>
            {may("comment.read") && (
              <Button component={Link} to="/works/comments" size="small" variant="outlined" color="inherit">
                作品评论
              </Button>
            )}
            <Button component={Link} to="/works/categories" size="small" variant="outlined" color="inherit">
              分类与行业
            </Button>
          </>
        }
      />
      <List
        id="works"
        what="作品"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ card }) => card.id}
        result={page && { rows: page.works, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有等待审核的作品" />}
        fetchPage={async (after) => {
          const { works, next } = await runQuery(
            worksApi.endpoints.workSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: works, next };
        }}
      />
    </>
  );
}
