import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useState } from "react";
import { saveText } from "@/lib/csv";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import type { AnalyticsVisitRange } from "../../api/generated/analytics";
import { analyticsApi } from "../../api/generated/analytics";
import { runQuery } from "../../api/run";

/** The server writes the file, because the export is logged. */
export function Export({
  what,
  title,
  range,
}: {
  what: string;
  /** What is exported, for screen readers. */
  title: string;
  range: AnalyticsVisitRange;
}) {
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      const asked = { period: range.period, from: range.from, to: range.to, what };
      const options = { forceRefetch: true, subscribe: false };
      const { csv } = await runQuery(analyticsApi.endpoints.visitExport.initiate(asked, options));
      saveText(`visits-${what}-${dayjs().format("YYYYMMDD-HHmmss")}.csv`, csv);
    } catch (error) {
      toast.error(messageOf(error) || "导出没有完成，请稍后重试");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      loading={busy}
      onClick={save}
      aria-label={`导出 CSV：${title}`}
    >
      导出 CSV
    </Button>
  );
}
