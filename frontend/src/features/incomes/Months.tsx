import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useIncomeMonthsQuery } from "@/calls/payment";
import { saveText } from "@/lib/csv";
import { useSession } from "@/session";
import { Bars } from "@/ui/Bars";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { monthsCsv } from "./csv";

const CENTS = 100;

/** Income of the last months, as bars and as a statement to download. */
export function Months() {
  const { loginId: userId } = useSession();
  const months = useIncomeMonthsQuery({ userId }, { refetchOnMountOrArgChange: true });
  if (months.isError)
    return (
      <Panel title="月度收入">
        <ReadFailed what="月度收入" onRetry={months.refetch} />
      </Panel>
    );
  const rows = months.data?.results;
  return (
    <Panel title="月度收入">
      <Box sx={{ px: 2.5, pb: 2.5 }}>
        {rows ? (
          <Bars
            title="近 12 个月的销售收入（元）"
            height={96}
            points={rows.map(({ month, earned }) => ({ label: month, value: earned / CENTS }))}
          />
        ) : (
          <Skeleton variant="rounded" height={120} role="status" aria-label="正在读取" />
        )}
        <Button
          variant="outlined"
          size="small"
          sx={{ mt: 2 }}
          disabled={!rows?.some(({ sales, withdrawn }) => sales > 0 || withdrawn > 0)}
          onClick={() => rows && saveText("模型收入月报.csv", monthsCsv(rows))}
        >
          导出月报 CSV
        </Button>
      </Box>
    </Panel>
  );
}
