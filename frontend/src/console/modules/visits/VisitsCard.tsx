import Box from "@mui/material/Box";
import { useMemo } from "react";
import { useVisitFiguresQuery } from "../../api/generated/analytics";
import { Bars } from "../../kit/chart";
import { count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { daysBefore, pointLabel } from "./range";

const DAYS = 14;

/** Visits of the last two weeks. */
export default function VisitsCard() {
  const from = useMemo(() => daysBefore(DAYS), []);
  const query = useVisitFiguresQuery({ period: "day", from, to: 0 }, usePolling(60_000));
  return (
    <Loaded query={query} what="访问统计">
      {({ points }) => {
        const [today, before] = [points.at(-1), points.at(-2)];
        return (
          <Box sx={{ display: "grid", gap: 2, p: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
            <Box sx={{ display: "grid", gridTemplateColumns: "repeat(3, minmax(0, 1fr))", gap: 2 }}>
              <Figure name="今日访问" value={count(today?.visits)} to="/visits?range=today" />
              <Figure name="今日访客" value={count(today?.visitors)} />
              <Figure name="昨日访问" value={count(before?.visits)} to="/visits?range=7" />
            </Box>
            <Bars
              title="近 14 天每天访问次数"
              points={points.map((point) => ({ label: pointLabel(point.start, "day"), value: point.visits }))}
            />
          </Box>
        );
      }}
    </Loaded>
  );
}
