import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useIntegralInfoQuery } from "@/calls/personal";
import { dateText } from "@/ui/dateText";
import { ListPage, useListState } from "@/ui/list";

/** History of the user's points. */
export function PointsDialog({ onClose }: { onClose: () => void }) {
  const list = useListState({ pageSize: 10 });
  const points = useIntegralInfoQuery(list.request);
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="points-records">
      <DialogTitle id="points-records">积分记录</DialogTitle>
      <DialogContent>
        <ListPage
          dense
          what="积分记录"
          query={points}
          rows={points.data?.records ?? []}
          total={points.data?.totalCount ?? 0}
          list={list}
          rowKey={(row) => row.id}
          columns={[
            { key: "time", title: "时间", render: (row) => dateText(row.createTime) },
            { key: "what", title: "说明", render: (row) => row.description },
            {
              key: "points",
              title: "积分",
              numeric: true,
              render: (row) => (row.integral > 0 ? `+${row.integral}` : row.integral),
            },
          ]}
          empty={{
            kind: "results",
            title: "还没有积分",
            hint: "首个模型通过体检、邀请好友都会获得积分。",
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
