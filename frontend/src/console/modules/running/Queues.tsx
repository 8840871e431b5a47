import Button from "@mui/material/Button";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import type { AuthRunningQueue, AuthRunningRetry } from "../../api/generated/auth";
import { ago, count } from "../../kit/format";
import { Card } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Nothing } from "../../kit/states";
import { isUnknown, lettersOf } from "./health";
import { partName } from "./words";

const known = (number: number): string => (number < 0 ? "未知" : count(number));

const QUEUES: readonly Column<AuthRunningQueue>[] = [
  { key: "name", title: "消费方", render: ({ name }) => partName(name) },
  { key: "waiting", title: "等待", numeric: true, render: ({ waiting }) => known(waiting) },
  { key: "retrying", title: "重试", numeric: true, render: ({ retrying }) => count(retrying.length) },
  {
    key: "dead",
    title: "死信",
    numeric: true,
    render: ({ name, dead }) =>
      dead > 0 ? <RowLink to={lettersOf(name)}>{count(dead)}</RowLink> : known(dead),
  },
];

const hasAny = (queue: AuthRunningQueue) =>
  isUnknown(queue) || queue.dead + queue.waiting + queue.retrying.length > 0;

/** The consumers that have something; all of them when asked to. */
export function Queues({ queues }: { queues: readonly AuthRunningQueue[] }) {
  const [all, setAll] = useState(false);
  const some = queues.filter(hasAny);
  return (
    <Card
      title="队列"
      flush
      aside={
        some.length < queues.length && (
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "只看有消息的" : `显示全部 ${queues.length} 个`}
          </Button>
        )
      }
    >
      <DataTable
        caption="队列"
        columns={QUEUES}
        rows={all ? queues : some}
        rowKey={({ name }) => name}
        empty={<Nothing title="队列都是空的" hint="没有等待、重试或死信。" />}
      />
    </Card>
  );
}

interface Retried extends AuthRunningRetry {
  queue: string;
}

const RETRIED: readonly Column<Retried>[] = [
  { key: "queue", title: "消费方", render: ({ queue }) => partName(queue) },
  { key: "key", title: "事件", render: ({ key }) => key },
  { key: "tries", title: "已试", numeric: true, render: ({ tries }) => `${count(tries)} 次` },
  { key: "at", title: "最近一次", numeric: true, render: ({ at }) => ago(at) },
  { key: "error", title: "最近一次错误", render: ({ error }) => error },
  { key: "id", title: "编号", secondary: true, render: ({ id }) => id },
];

/** Events that consumers try again, the last tried first; nothing without any. */
export function Retries({ queues }: { queues: readonly AuthRunningQueue[] }) {
  const rows = queues
    .flatMap(({ name, retrying }) => retrying.map((one) => ({ ...one, queue: name })))
    .sort((a, b) => b.at - a.at);
  if (rows.length === 0) return null;
  return (
    <Card title="正在重试" flush>
      <DataTable
        caption="正在重试的事件"
        columns={RETRIED}
        rows={rows}
        rowKey={({ queue, id }) => `${queue} ${id}`}
      />
    </Card>
  );
}
