import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { useIntegralInfoQuery } from "@/calls/personal";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { dayTime } from "./words";

const PAGE_SIZE = 10;

/** Each entry of one's points. */
export function PointsDialog({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState(1);
  const points = useIntegralInfoQuery({ pageNo: page, pageSize: PAGE_SIZE });
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="points-records">
      <DialogTitle id="points-records">积分记录</DialogTitle>
      <DialogContent>
        <DataTable
          caption="积分记录"
          loading={points.isLoading}
          rows={points.data?.records ?? []}
          rowKey={(row) => row.id}
          columns={[
            { key: "time", title: "时间", render: (row) => dayTime(row.createTime) },
            { key: "what", title: "说明", render: (row) => row.description },
            {
              key: "points",
              title: "积分",
              numeric: true,
              render: (row) => (row.integral > 0 ? `+${row.integral}` : row.integral),
            },
          ]}
          empty={
            <EmptyState
              dense
              kind="results"
              title="还没有积分"
              hint="首个模型通过体检、邀请好友都会获得积分。"
            />
          }
        />
        <Pager total={points.data?.totalCount ?? 0} page={page} pageSize={PAGE_SIZE} onPage={setPage} />
      </DialogContent>
    </Dialog>
  );
}
