import Box from "@mui/material/Box";
import { type AuthRunningOverviewReply, useRunningOverviewQuery } from "../../api/generated/auth";
import { count, span } from "../../kit/format";
import { Figure, PageTitle } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Faults } from "./Faults";
import { deadIn, faultsOf, oldestUnsent, retriedIn } from "./health";
import { EVERY_MS } from "./period";
import { Queues, Retries } from "./Queues";
import { PartsCard, Processes, Services } from "./Services";

const COLUMN = { display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)", alignContent: "start" };

/** What is wrong first; then services, what they depend on, and queues. */
export default function RunningPage() {
  const query = useRunningOverviewQuery({}, usePolling(EVERY_MS));
  return (
    <>
      <PageTitle title="运行状况" note="每 15 秒刷新；长时间无人操作时暂停" />
      <Loaded query={query} what="运行状况" rows={8}>
        {(overview) => (
          <Box sx={COLUMN}>
            <Faults faults={faultsOf(overview)} />
            <Figures overview={overview} />
            <Retries queues={overview.queues} />
            <Box
              sx={{
                display: "grid",
                gap: 2,
                gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" },
                alignItems: "start",
              }}
            >
              <Services services={overview.services} />
              <Box sx={COLUMN}>
                <PartsCard parts={overview.parts} />
                <Queues queues={overview.queues} />
              </Box>
            </Box>
            <Processes services={overview.services} />
          </Box>
        )}
      </Loaded>
    </>
  );
}

function Figures({
  overview: { services, queues, unsent, audited },
}: {
  overview: AuthRunningOverviewReply;
}) {
  const down = services.filter(({ ready }) => !ready).length;
  return (
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
      <Figure name="未就绪的服务" value={count(down)} note={`共 ${services.length} 项`} />
      <Figure name="死信" value={count(deadIn(queues))} note="被消费方放弃的消息" to="/running/deadLetters" />
      <Figure name="正在重试" value={count(retriedIn(queues))} note="处理失败，稍后再试" />
      <Figure
        name="待发事件"
        value={count(unsent)}
        note={unsent > 0 ? `最早的等了 ${span(oldestUnsent(services) / 1000)}` : "没有积压"}
      />
      <Figure name="审计记录" value={count(audited)} note="已写入审计链" />
    </Box>
  );
}
