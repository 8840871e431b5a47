import Box from "@mui/material/Box";
import { type Column, DataTable } from "@/ui/DataTable";
import { UserText } from "@/ui/UserText";
import type { ProcessResultFeedbackAverage, ProcessResultFeedbackItem } from "../../api/generated/process";
import {
  processApi,
  useResultFeedbackAveragesQuery,
  useResultFeedbackListQuery,
} from "../../api/generated/process";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { count, minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { Card, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useList } from "../../kit/useList";
import { average, ENDS, SERVICES, STARS } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "serviceType", label: "服务", choices: SERVICES },
  { kind: "choice", name: "stars", label: "星级", choices: STARS },
  { kind: "choice", name: "words", label: "内容", choices: [{ value: "1", text: "有文字" }] },
  { kind: "text", name: "owner", label: "用户", placeholder: "用户 ID" },
];

const COLUMNS: readonly ListColumn<ProcessResultFeedbackItem>[] = [
  {
    key: "service",
    title: "服务",
    width: 112,
    render: (one) => wordOf(SERVICES, one.serviceType).text,
    csv: (one) => wordOf(SERVICES, one.serviceType).text,
  },
  {
    key: "stars",
    title: "星级",
    numeric: true,
    width: 72,
    render: (one) => one.stars,
    csv: (one) => one.stars,
  },
  {
    key: "content",
    title: "内容",
    render: (one) => <UserText sx={{ maxWidth: 420 }}>{one.content || "（只有星级）"}</UserText>,
    csv: (one) => one.content,
  },
  {
    key: "owner",
    title: "用户",
    render: (one) => <RowLink to={`/users/${encodeURIComponent(one.owner)}`}>{one.owner}</RowLink>,
    csv: (one) => one.owner,
  },
  {
    key: "status",
    title: "结果",
    width: 96,
    render: (one) => <State words={ENDS} value={one.status} />,
    csv: (one) => wordOf(ENDS, one.status).text,
  },
  {
    key: "updated",
    title: "评价时间",
    numeric: true,
    width: 144,
    render: (one) => minute(one.updatedAt),
    csv: (one) => minute(one.updatedAt),
  },
  {
    key: "model",
    title: "模型",
    secondary: true,
    render: (one) => one.modelName,
    csv: (one) => one.modelName,
  },
  {
    key: "id",
    title: "结果编号",
    secondary: true,
    render: (one) => one.resultId,
    csv: (one) => one.resultId,
  },
];

const AVERAGES: readonly Column<ProcessResultFeedbackAverage>[] = [
  { key: "service", title: "服务", render: (one) => wordOf(SERVICES, one.serviceType).text },
  { key: "average", title: "平均", numeric: true, render: average },
  { key: "count", title: "评价数", numeric: true, render: (one) => count(one.count) },
  ...[5, 4, 3, 2, 1].map((stars) => ({
    key: `stars${stars}`,
    title: `${stars} 星`,
    numeric: true,
    render: (one: ProcessResultFeedbackAverage) => count(one.distribution[stars - 1] ?? 0),
  })),
];

function Averages() {
  const query = useResultFeedbackAveragesQuery({}, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="平均分" rows={5}>
      {({ averages }) =>
        averages.length > 0 && (
          <Card title="各项服务的平均分" flush>
            <DataTable
              caption="各项服务的平均分与星级分布"
              columns={AVERAGES}
              rows={averages}
              rowKey={({ serviceType }) => serviceType}
            />
          </Card>
        )
      }
    </Loaded>
  );
}

/** Users' ratings of service results. */
export default function FeedbackPage() {
  const state = useList(FILTERS);
  const { serviceType, stars, words, owner } = state.values;
  const narrowed = { serviceType, stars: Number(stars) || 0, withWords: words === "1", owner };
  const query = useResultFeedbackListQuery(
    { ...narrowed, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="处理评价" note="用户对处理结果的评价；结果删除后评价仍在，账号注销后一并清除" />
      <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Averages />
        <List
          id="results"
          what="评价"
          filters={FILTERS}
          state={state}
          columns={COLUMNS}
          rowKey={({ resultId }) => resultId}
          result={page && { rows: page.items, next: page.next }}
          error={query.error}
          loading={query.isFetching}
          onRetry={query.refetch}
          fetchPage={async (after) => {
            const { items, next } = await runQuery(
              processApi.endpoints.resultFeedbackList.initiate(
                { ...narrowed, after, size: EXPORT_PAGE },
                { forceRefetch: true },
              ),
            );
            return { rows: items, next };
          }}
        />
      </Box>
    </>
  );
}
