import Box from "@mui/material/Box";
import type { AnalyticsVisitRange } from "../../api/generated/analytics";
import { useVisitFunnelQuery } from "../../api/generated/analytics";
import { count } from "../../kit/format";
import { Card } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { percent } from "./Ranking";
import { Share, ShareTable } from "./Share";
import { STEPS } from "./words";

/** From an account to a payment. */
export function Funnel({ range }: { range: Required<AnalyticsVisitRange> }) {
  const query = useVisitFunnelQuery(range);
  return (
    <Card title="转化漏斗" flush>
      <Loaded query={query} what="转化漏斗" rows={5}>
        {({ steps }) => {
          const most = Math.max(1, ...steps.map((step) => step.count));
          return (
            <>
              <ShareTable caption="转化漏斗" heads={["环节", "次数", "较上一环节"]}>
                {steps.map((step, index) => (
                  <Share
                    key={step.name}
                    name={STEPS[step.name] ?? step.name}
                    part={step.count / most}
                    cells={[
                      count(step.count),
                      index === 0 ? "—" : percent(step.count, steps[index - 1]?.count ?? 0),
                    ]}
                  />
                ))}
              </ShareTable>
              <Box sx={{ px: 2, pb: 1.5, fontSize: 12, color: "text.secondary" }}>
                按天统计各环节发生的次数，同一用户多次上传、处理或支付会多次计入，比例可能超过 100%。
              </Box>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
