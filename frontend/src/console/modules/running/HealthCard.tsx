import Box from "@mui/material/Box";
import { StatusTag } from "@/ui/StatusTag";
import { useRunningOverviewQuery } from "../../api/generated/auth";
import { count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { deadIn, hindrances } from "./health";

/** Whether all services work, what does not, and the number of dead letters. */
export default function HealthCard() {
  const query = useRunningOverviewQuery({}, usePolling(60_000));
  return (
    <Loaded query={query} what="服务健康">
      {(overview) => {
        const { services, queues, unsent } = overview;
        const faults = hindrances(overview);
        return (
          <Box sx={{ display: "grid", gap: 2, p: 2 }}>
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, fontSize: 13 }}>
              {faults.length === 0 ? (
                <StatusTag tone="success">{`${services.length} 项服务全部就绪`}</StatusTag>
              ) : (
                <>
                  <StatusTag tone={faults[0]?.tone}>{`${faults.length} 项异常`}</StatusTag>
                  <RowLink to="/running">
                    {faults.map(({ what, wrong }) => `${what} ${wrong}`).join("；")}
                  </RowLink>
                </>
              )}
            </Box>
            <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 2 }}>
              <Figure name="死信" value={count(deadIn(queues))} to="/running/deadLetters" />
              <Figure name="待发事件" value={count(unsent)} to="/running" />
            </Box>
          </Box>
        );
      }}
    </Loaded>
  );
}
