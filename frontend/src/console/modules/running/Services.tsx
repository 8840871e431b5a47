import Box from "@mui/material/Box";
import { type Column, DataTable } from "@/ui/DataTable";
import { StatusTag } from "@/ui/StatusTag";
import type { AuthRunningPart, AuthRunningService } from "../../api/generated/auth";
import { ago, count, minute, shown, span } from "../../kit/format";
import { Card } from "../../kit/page";
import { Nothing } from "../../kit/states";
import { causeOf, type Process, processesOf, servedBy } from "./health";
import { partName, partProblem } from "./words";

/** The state of a service: a replica that fails does not take it down. */
function ServiceState({ ready, instances }: AuthRunningService) {
  if (!ready) return <StatusTag tone="danger">{instances.length > 0 ? "未就绪" : "没有报告"}</StatusTag>;
  const whole = instances.every((one) => one.ready);
  return <StatusTag tone={whole ? "success" : "warning"}>{whole ? "就绪" : "部分就绪"}</StatusTag>;
}

const SERVICES: readonly Column<AuthRunningService>[] = [
  { key: "name", title: "服务", render: ({ name }) => partName(name) },
  { key: "ready", title: "状态", render: (service) => <ServiceState {...service} /> },
  {
    key: "instances",
    title: "就绪进程",
    numeric: true,
    render: ({ instances }) => `${instances.filter(({ ready }) => ready).length} / ${instances.length}`,
  },
  {
    key: "unsent",
    title: "待发事件",
    numeric: true,
    render: ({ unsent, unsentMs }) =>
      unsent > 0 ? `${count(unsent)}，最早等了 ${span(unsentMs / 1000)}` : count(unsent),
  },
];

export function Services({ services }: { services: readonly AuthRunningService[] }) {
  return (
    <Card title="服务" flush>
      <DataTable
        caption="服务"
        columns={SERVICES}
        rows={services}
        rowKey={({ name }) => name}
        empty={<Nothing title="没有服务登记" />}
      />
    </Card>
  );
}

const processColumns = (all: number): readonly Column<Process>[] => [
  { key: "name", title: "进程", render: ({ name }) => name },
  {
    key: "state",
    title: "状态",
    render: (process) => (
      <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
        <StatusTag tone={process.ready ? (process.problems.length > 0 ? "warning" : "success") : "danger"}>
          {process.ready ? "就绪" : "未就绪"}
        </StatusTag>
        {(!process.ready || process.problems.length > 0) && <span className="text">{causeOf(process)}</span>}
      </Box>
    ),
  },
  { key: "services", title: "承担的服务", render: (process) => servedBy(process, all) },
  { key: "version", title: "版本", render: ({ version }) => shown(version) },
  { key: "started", title: "启动时间", secondary: true, render: ({ startedAt }) => minute(startedAt) },
  { key: "reported", title: "最近报告", numeric: true, render: ({ reportedAt }) => ago(reportedAt) },
];

/** The processes that were heard of, each once, however many services it serves. */
export function Processes({ services }: { services: readonly AuthRunningService[] }) {
  return (
    <Card title="进程" flush>
      <DataTable
        caption="进程"
        columns={processColumns(services.length)}
        rows={processesOf(services)}
        rowKey={({ name }) => name}
        empty={<Nothing title="没有收到任何进程的报告" hint="近十分钟内没有进程报告过状态。" />}
      />
    </Card>
  );
}

const PARTS: readonly Column<AuthRunningPart>[] = [
  { key: "name", title: "依赖", render: ({ name }) => partName(name) },
  {
    key: "ready",
    title: "状态",
    render: ({ name, ready }) => (
      <StatusTag tone={ready ? "success" : "danger"}>{ready ? "就绪" : partProblem(name)}</StatusTag>
    ),
  },
  {
    key: "failing",
    title: "受影响的进程",
    render: ({ failing }) => shown(failing.join("、")),
  },
];

/** What the services depend on, and the processes that do not reach it. */
export function PartsCard({ parts }: { parts: readonly AuthRunningPart[] }) {
  return (
    <Card title="依赖" flush>
      <DataTable
        caption="依赖"
        columns={PARTS}
        rows={parts}
        rowKey={({ name }) => name}
        empty={<Nothing title="没有进程报告依赖的状态" />}
      />
    </Card>
  );
}
