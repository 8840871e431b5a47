import Box from "@mui/material/Box";
import { type Column, DataTable } from "@/ui/DataTable";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { StatusTag } from "@/ui/StatusTag";
import type { ProcessJobItem, ProcessJobQueue } from "../../api/generated/process";
import { processApi, useJobQueuesQuery, useJobSearchQuery } from "../../api/generated/process";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { count, minute, shown, span } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { Card, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useList } from "../../kit/useList";
import { usePolling } from "../../kit/usePolling";
import { EVERY_MS } from "./period";
import { jobPath, KINDS, STATES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "state", label: "状态", choices: STATES },
  { kind: "choice", name: "kind", label: "类型", choices: KINDS },
  { kind: "text", name: "owner", label: "用户", placeholder: "用户 ID" },
  { kind: "days" },
];

const COLUMNS: readonly ListColumn<ProcessJobItem>[] = [
  {
    key: "kind",
    title: "任务",
    render: (job) => <RowLink to={jobPath(job.id)}>{wordOf(KINDS, job.kind).text}</RowLink>,
    csv: (job) => wordOf(KINDS, job.kind).text,
  },
  {
    key: "state",
    title: "状态",
    render: (job) => <State words={STATES} value={job.state} />,
    csv: (job) => wordOf(STATES, job.state).text,
  },
  {
    key: "owner",
    title: "用户",
    render: (job) => <RowLink to={`/users/${encodeURIComponent(job.owner)}`}>{job.owner}</RowLink>,
    csv: (job) => job.owner,
  },
  {
    key: "attempts",
    title: "尝试",
    numeric: true,
    render: (job) => count(job.attempts),
    csv: (job) => job.attempts,
  },
  {
    key: "created",
    title: "提交时间",
    numeric: true,
    render: (job) => minute(job.createdAt),
    csv: (job) => minute(job.createdAt),
  },
  {
    key: "error",
    title: "最近错误",
    secondary: true,
    render: (job) => <Short text={job.error} />,
    csv: (job) => job.error,
  },
  { key: "id", title: "任务编号", secondary: true, render: (job) => job.id, csv: (job) => job.id },
];

function Short({ text }: { text: string }) {
  return (
    <Box
      title={text || undefined}
      sx={{ maxWidth: 280, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
    >
      {shown(text)}
    </Box>
  );
}

const QUEUES: readonly Column<ProcessJobQueue>[] = [
  { key: "kind", title: "类型", render: (queue) => wordOf(KINDS, queue.kind).text },
  { key: "queued", title: "排队", numeric: true, render: (queue) => number(queue, "queued") },
  { key: "running", title: "处理中", numeric: true, render: (queue) => number(queue, "running") },
  {
    key: "oldest",
    title: "最久等待",
    numeric: true,
    render: (queue) => (queue.queued > 0 ? span(queue.oldestSeconds) : "—"),
  },
  { key: "failed", title: "24 小时失败", numeric: true, render: (queue) => number(queue, "failed") },
];

/** A count that links to its jobs. */
function number(queue: ProcessJobQueue, state: "queued" | "running" | "failed") {
  const value = queue[state];
  if (value === 0) return "0";
  return <RowLink to={`/jobs?state=${state}&kind=${queue.kind}`}>{count(value)}</RowLink>;
}

function Queues() {
  const query = useJobQueuesQuery({}, usePolling(EVERY_MS));
  return (
    <Loaded query={query} what="任务队列" rows={8}>
      {({ queues, workers, engine }) => (
        <Card
          title="任务队列"
          flush
          aside={
            <Box sx={{ fontSize: 12, color: "text.secondary" }}>
              {`每个处理进程同时 ${workers} 个任务`}
              {engine ? ` · 引擎 ${engine}` : " · "}
              {!engine && <StatusTag tone="danger">引擎没有应答</StatusTag>}
            </Box>
          }
        >
          <DataTable
            caption="各类任务的排队情况"
            columns={QUEUES}
            rows={queues}
            rowKey={({ kind }) => kind}
          />
        </Card>
      )}
    </Loaded>
  );
}

/** The queues, and all jobs. */
export default function JobsPage() {
  const state = useList(FILTERS);
  const { state: wanted, kind, owner, from, to } = state.values;
  const narrowed = { state: wanted, kind, owner, from: dayStart(from ?? ""), to: dayEnd(to ?? "") };
  const query = useJobSearchQuery({ ...narrowed, after: state.after, size: PAGE }, usePolling(EVERY_MS));
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="处理任务" note="每 15 秒刷新；长时间无人操作时暂停" />
      <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Queues />
        <List
          id="jobs"
          what="任务"
          filters={FILTERS}
          state={state}
          columns={COLUMNS}
          rowKey={(job) => job.id}
          result={page && { rows: page.jobs, next: page.next }}
          error={query.error}
          loading={query.isFetching}
          onRetry={query.refetch}
          fetchPage={async (after) => {
            const { jobs, next } = await runQuery(
              processApi.endpoints.jobSearch.initiate(
                { ...narrowed, after, size: EXPORT_PAGE },
                { forceRefetch: true },
              ),
            );
            return { rows: jobs, next };
          }}
        />
      </Box>
    </>
  );
}
