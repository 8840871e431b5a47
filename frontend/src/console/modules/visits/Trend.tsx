import Box from "@mui/material/Box";
import type { AnalyticsVisitRange } from "../../api/generated/analytics";
import { useVisitFiguresQuery } from "../../api/generated/analytics";
import { Bars } from "../../kit/chart";
import { count } from "../../kit/format";
import { Card, Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { Export } from "./Export";
import { pointLabel } from "./range";

const HEIGHT = 160;

/** Visits and visitors over the range. */
export function Trend({ range }: { range: Required<AnalyticsVisitRange> }) {
  const query = useVisitFiguresQuery(range);
  const unit = range.period === "hour" ? "每小时" : "每天";
  return (
    <Card title="访问趋势" aside={<Export what="figures" title="访问趋势" range={range} />}>
      <Loaded query={query} what="访问趋势" rows={6}>
        {({ points, visits, visitors }) => {
          const of = (key: "visits" | "visitors") =>
            points.map((point) => ({ label: pointLabel(point.start, range.period), value: point[key] }));
          const peak = points.reduce((best, point) => Math.max(best, point.visits), 0);
          return (
            <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
              <Box
                sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fit, minmax(132px, 1fr))" }}
              >
                <Figure name="访问次数" value={count(visits)} />
                <Figure name="访客" value={count(visitors)} note={`按${unit}去重后相加`} />
                <Figure
                  name={`${unit}平均访问`}
                  value={count(Math.round(visits / Math.max(1, points.length)))}
                />
                <Figure name={`${unit}最多访问`} value={count(peak)} />
              </Box>
              <Chart title={`${unit}访问次数`} points={of("visits")} />
              <Chart title={`${unit}访客`} points={of("visitors")} />
            </Box>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Chart({ title, points }: { title: string; points: readonly { label: string; value: number }[] }) {
  const most = Math.max(0, ...points.map(({ value }) => value));
  return (
    <Box>
      <Box
        aria-hidden="true"
        sx={{
          display: "flex",
          justifyContent: "space-between",
          mb: 0.5,
          fontSize: 12,
          color: "text.secondary",
        }}
      >
        <span>{title}</span>
        <span>{`最高 ${count(most)}`}</span>
      </Box>
      <Bars title={title} points={points} height={HEIGHT} />
    </Box>
  );
}
