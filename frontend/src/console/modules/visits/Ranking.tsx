import Box from "@mui/material/Box";
import type { AnalyticsVisitRange } from "../../api/generated/analytics";
import { useVisitTopQuery } from "../../api/generated/analytics";
import { wordOf } from "../../kit/choices";
import { count } from "../../kit/format";
import { Card } from "../../kit/page";
import { Loaded, Nothing } from "../../kit/states";
import { Export } from "./Export";
import { Share, ShareTable } from "./Share";
import type { Metric } from "./words";

const LISTED = 8;

/** The most frequent values of one count, each with its share. */
export function Ranking({ metric, range }: { metric: Metric; range: Required<AnalyticsVisitRange> }) {
  const query = useVisitTopQuery({ ...range, metric: metric.metric, size: LISTED });
  const name = (value: string) => {
    if (!value) return metric.nameless;
    return metric.words ? wordOf(metric.words, value).text : value;
  };
  return (
    <Card
      title={metric.title}
      flush
      aside={<Export what={metric.metric} title={metric.title} range={range} />}
    >
      <Loaded query={query} what={metric.title} rows={4}>
        {({ rows, total }) => {
          if (rows.length === 0) return <Nothing title="没有数据" hint={metric.hint} />;
          const shown = rows.reduce((sum, row) => sum + row.count, 0);
          const most = Math.max(1, ...rows.map((row) => row.count));
          return (
            <>
              <ShareTable caption={metric.title} heads={["名称", "次数", "占比"]}>
                {rows.map((row) => (
                  <Share
                    key={row.name}
                    name={name(row.name)}
                    part={row.count / most}
                    cells={[count(row.count), percent(row.count, total)]}
                  />
                ))}
              </ShareTable>
              {total > shown && (
                <Box sx={{ px: 2, pb: 1.5, fontSize: 12, color: "text.secondary" }}>
                  {`其余合计 ${count(total - shown)} 次，导出可查看全部`}
                </Box>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** A share in percent; a dash if the whole is zero. */
export const percent = (part: number, whole: number): string =>
  whole > 0 ? `${((part / whole) * 100).toFixed(1)}%` : "—";
