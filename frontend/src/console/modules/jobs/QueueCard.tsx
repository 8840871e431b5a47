import Box from "@mui/material/Box";
import { useJobQueuesQuery } from "../../api/generated/process";
import { count, span } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Queued and failed jobs of the engine. */
export default function QueueCard() {
  const query = useJobQueuesQuery({}, usePolling(60_000));
  return (
    <Loaded query={query} what="任务队列">
      {({ queues }) => {
        const sum = (key: "queued" | "running" | "failed") =>
          queues.reduce((total, queue) => total + queue[key], 0);
        const oldest = Math.max(0, ...queues.map((queue) => queue.oldestSeconds));
        return (
          <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 2, p: 2 }}>
            <Figure
              name="排队"
              value={count(sum("queued"))}
              note={sum("queued") > 0 ? `最久 ${span(oldest)}` : undefined}
              to="/jobs?state=queued"
            />
            <Figure name="处理中" value={count(sum("running"))} to="/jobs?state=running" />
            <Figure name="24 小时失败" value={count(sum("failed"))} to="/jobs?state=failed" />
          </Box>
        );
      }}
    </Loaded>
  );
}
