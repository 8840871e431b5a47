import Box from "@mui/material/Box";
import { useInvitationFiguresQuery } from "../../api/generated/auth";
import { Bars } from "../../kit/chart";
import { count } from "../../kit/format";
import { Card, Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { coins } from "./words";

/** Invitation statistics: current state, and the last twelve months. */
export function Figures() {
  const query = useInvitationFiguresQuery({}, { refetchOnMountOrArgChange: true });
  return (
    <Card title="邀请概况">
      <Loaded query={query} what="邀请统计">
        {(found) => {
          const bars = (title: string, of: (month: (typeof found.months)[number]) => number) => (
            <Box sx={{ minWidth: 0 }}>
              <Box sx={{ mb: 0.5, fontSize: 12, color: "text.secondary" }}>{title}</Box>
              <Bars
                title={`${title}，按月`}
                points={found.months.map((month) => ({ label: month.month, value: of(month) }))}
              />
            </Box>
          );
          return (
            <Box sx={{ display: "grid", gap: 2 }}>
              <Box
                sx={{
                  display: "grid",
                  gap: 2,
                  gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", md: "repeat(5, minmax(0, 1fr))" },
                }}
              >
                <Figure name="待处理" value={count(found.held)} to="/invitations?state=held" />
                <Figure name="待达成" value={count(found.pending)} to="/invitations?state=pending" />
                <Figure name="已奖励" value={count(found.qualified)} to="/invitations?state=qualified" />
                <Figure name="已拒绝" value={count(found.refused)} to="/invitations?state=refused" />
                <Figure name="已发放云币" value={coins(found.paidCents)} />
              </Box>
              <Box
                sx={{
                  display: "grid",
                  rowGap: 2,
                  // the last month of one chart stands beside the first of the next
                  columnGap: 5,
                  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(3, minmax(0, 1fr))" },
                }}
              >
                {bars("新增邀请（近 12 个月）", (month) => month.brought)}
                {bars("达成奖励（近 12 个月）", (month) => month.qualified)}
                {bars("发放云币（近 12 个月）", (month) => month.paidCents / 100)}
              </Box>
            </Box>
          );
        }}
      </Loaded>
    </Card>
  );
}
