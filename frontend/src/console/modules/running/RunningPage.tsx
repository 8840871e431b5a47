import Box from "@mui/material/Box";
import { type Column, DataTable } from "@/ui/DataTable";
import { StatusTag } from "@/ui/StatusTag";
import {
  type AuthRunningQueue,
  type AuthRunningService,
  useRunningOverviewQuery,
} from "../../api/generated/auth";
import { count } from "../../kit/format";
import { Card, Figure, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { EVERY_MS } from "./period";
import { partName } from "./words";

const SERVICES: readonly Column<AuthRunningService>[] = [
  { key: "name", title: "服务与部件", render: (service) => partName(service.name) },
  {
    key: "ready",
    title: "状态",
    render: ({ ready }) => (
      <StatusTag tone={ready ? "success" : "danger"}>{ready ? "就绪" : "未就绪"}</StatusTag>
    ),
  },
];

const QUEUES: readonly Column<AuthRunningQueue>[] = [
  { key: "name", title: "消费方", render: (queue) => partName(queue.name) },
  {
    key: "dead",
    title: "死信",
    numeric: true,
    render: ({ name, dead }) =>
      dead > 0 ? (
        <RowLink to={`/running/deadLetters?queue=${encodeURIComponent(name)}`}>{count(dead)}</RowLink>
      ) : (
        count(dead)
      ),
  },
];

/** Services, queues and dead letters. */
export default function RunningPage() {
  const query = useRunningOverviewQuery({}, usePolling(EVERY_MS));
  return (
    <>
      <PageTitle title="运行状况" note="每 15 秒刷新；长时间无人操作时暂停" />
      <Loaded query={query} what="运行状况" rows={8}>
        {({ services, queues, unsent, audited }) => {
          const dead = queues.reduce((sum, queue) => sum + queue.dead, 0);
          const down = services.filter(({ ready }) => !ready).length;
          return (
            <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
              <Box
                sx={{
                  display: "grid",
                  gap: 2,
                  gridTemplateColumns: "repeat(auto-fit, minmax(132px, 1fr))",
                  p: 2,
                  border: 1,
                  borderColor: "divider",
                  borderRadius: 2,
                  backgroundColor: "background.paper",
                }}
              >
                <Figure name="未就绪的服务" value={count(down)} note={`共 ${services.length} 个`} />
                <Figure name="死信" value={count(dead)} note="被消费方放弃的消息" />
                <Figure name="待发事件" value={count(unsent)} note="认证服务尚未投递" />
                <Figure name="审计记录" value={count(audited)} note="已写入审计链" />
              </Box>
              <Box
                sx={{
                  display: "grid",
                  gap: 2,
                  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
                  alignItems: "start",
                }}
              >
                <Card title="服务" flush>
                  <DataTable
                    caption="服务"
                    columns={SERVICES}
                    rows={services}
                    rowKey={({ name }) => name}
                    empty={<Nothing title="没有服务登记" />}
                  />
                </Card>
                <Card title="队列" flush>
                  <DataTable
                    caption="队列"
                    columns={QUEUES}
                    rows={queues}
                    rowKey={({ name }) => name}
                    empty={<Nothing title="没有队列" />}
                  />
                </Card>
              </Box>
            </Box>
          );
        }}
      </Loaded>
    </>
  );
}
