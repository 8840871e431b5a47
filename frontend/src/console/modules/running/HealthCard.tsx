import Box from "@mui/material/Box";
import { StatusTag } from "@/ui/StatusTag";
import { useRunningOverviewQuery } from "../../api/generated/auth";
import { count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { partName } from "./words";

/** Health of all services, and the number of dead letters. */
export default function HealthCard() {
  const query = useRunningOverviewQuery({}, usePolling(60_000));
  return (
    <Loaded query={query} what="服务健康">
      {({ services, queues, unsent }) => {
        const down = services.filter(({ ready }) => !ready);
        return (
          <Box sx={{ display: "grid", gap: 2, p: 2 }}>
            <Box>
              {down.length === 0 ? (
                <StatusTag tone="success">{`${services.length} 项全部就绪`}</StatusTag>
              ) : (
                <StatusTag tone="danger">{`${down.map(({ name }) => partName(name)).join("、")} 未就绪`}</StatusTag>
              )}
            </Box>
            <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 2 }}>
              <Figure
                name="死信"
                value={count(queues.reduce((sum, { dead }) => sum + dead, 0))}
                to="/running/deadLetters"
              />
              <Figure name="待发事件" value={count(unsent)} to="/running" />
            </Box>
          </Box>
        );
      }}
    </Loaded>
  );
}
