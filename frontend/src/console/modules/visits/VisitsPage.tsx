import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMemo } from "react";
import { Link } from "react-router";
import { DateRange } from "@/ui/DateRange";
import { useQueryFields } from "@/ui/useQueryFields";
import { PageTitle } from "../../kit/page";
import { Funnel } from "./Funnel";
import { Ranking } from "./Ranking";
import { PRESETS, rangeOf } from "./range";
import { Trend } from "./Trend";
import { METRICS } from "./words";

/** Visitors, their sources and pages, and how far they got. */
export default function VisitsPage() {
  const [query, setQuery] = useQueryFields();
  const { preset, ...range } = useMemo(() => rangeOf(query), [query]);
  return (
    <>
      <PageTitle
        title="访问统计"
        note="统计约一分钟更新一次，日期以北京时间为准；要求不被跟踪的访客不计入"
        actions={
          <Button component={Link} to="/visits/actions" size="small" variant="outlined" color="inherit">
            行为日志
          </Button>
        }
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
          <Box role="group" aria-label="时间范围" sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
            {PRESETS.map(({ value, text }) => (
              <Button
                key={value}
                size="small"
                variant={preset === value ? "contained" : "outlined"}
                color={preset === value ? "primary" : "inherit"}
                aria-pressed={preset === value}
                onClick={() => setQuery({ range: value, from: undefined, to: undefined })}
              >
                {text}
              </Button>
            ))}
          </Box>
          <DateRange
            from={query.get("from") ?? ""}
            to={query.get("to") ?? ""}
            onChange={(change) => setQuery({ ...change, range: undefined })}
          />
        </Box>
        <Trend range={range} />
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
            alignItems: "start",
          }}
        >
          <Funnel range={range} />
          {METRICS.map((metric) => (
            <Ranking key={metric.metric} metric={metric} range={range} />
          ))}
        </Box>
      </Box>
    </>
  );
}
