import Button from "@mui/material/Button";
import { Link } from "react-router";
import { dayEnd, dayStart } from "@/ui/DateRange";
import {
  type PersonalPublicationItem,
  personalApi,
  usePublicationListQuery,
} from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { titleOf } from "./form";
import { KINDS, pathOf, STATES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "kind", label: "类型", choices: KINDS },
  { kind: "choice", name: "state", label: "状态", choices: STATES },
  { kind: "days" },
];

const hasDraft = ({ latestVersion, publishedVersion }: PersonalPublicationItem) =>
  publishedVersion > 0 && latestVersion !== publishedVersion;

const COLUMNS: readonly ListColumn<PersonalPublicationItem>[] = [
  {
    key: "title",
    title: "内容",
    render: (one) => <RowLink to={pathOf(one.id)}>{titleOf(one)}</RowLink>,
    csv: titleOf,
  },
  {
    key: "kind",
    title: "类型",
    width: 112,
    render: (one) => wordOf(KINDS, one.kind).text,
    csv: (one) => wordOf(KINDS, one.kind).text,
  },
  {
    key: "state",
    title: "状态",
    width: 176,
    render: (one) => (
      <>
        <State words={STATES} value={one.state} />
        {hasDraft(one) && " 有新草稿"}
      </>
    ),
    csv: (one) => wordOf(STATES, one.state).text,
  },
  {
    key: "starts",
    title: "开始",
    secondary: true,
    width: 144,
    render: (one) => (one.startsAt > 0 ? minute(one.startsAt) : "发布后立即"),
    csv: (one) => minute(one.startsAt),
  },
  {
    key: "ends",
    title: "结束",
    secondary: true,
    width: 144,
    render: (one) => (one.endsAt > 0 ? minute(one.endsAt) : "不结束"),
    csv: (one) => minute(one.endsAt),
  },
  {
    key: "position",
    title: "排序",
    numeric: true,
    secondary: true,
    width: 64,
    render: (one) => one.position,
    csv: (one) => one.position,
  },
  {
    key: "updated",
    title: "最近修改",
    numeric: true,
    secondary: true,
    width: 144,
    render: (one) => minute(one.updatedAt),
    csv: (one) => minute(one.updatedAt),
  },
];

/** Publications of operators for all users. */
export default function ListPage() {
  const may = useMay();
  const state = useList(FILTERS);
  const { kind, state: wanted, from, to } = state.values;
  const narrowed = { kind, state: wanted, from: dayStart(from ?? ""), to: dayEnd(to ?? "") };
  const query = usePublicationListQuery(
    { ...narrowed, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="内容发布" note="公告、弹窗、友情链接与客户端版本；发布后网站立即按时间展示" />
      <List
        id="publications"
        what="内容"
        filters={FILTERS}
        state={state}
        columns={COLUMNS}
        rowKey={(one) => one.id}
        result={page && { rows: page.publications, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        fetchPage={async (after) => {
          const { publications, next } = await runQuery(
            personalApi.endpoints.publicationList.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: publications, next };
        }}
        actions={
          may("content.publish") && (
            <Button
              size="small"
              variant="contained"
              component={Link}
              to={`/publications/new${kind ? `?kind=${kind}` : ""}`}
            >
              新建
            </Button>
          )
        }
      />
    </>
  );
}
