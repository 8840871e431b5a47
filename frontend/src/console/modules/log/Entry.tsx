import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { monoFamily } from "@/theme";
import type { AuthAuditItem } from "../../api/generated/auth";
import { Difference, readValue } from "../../kit/difference";
import { moment, shown } from "../../kit/format";
import { Facts } from "../../kit/page";
import { useNameOf } from "../../kit/parts";
import { serviceName } from "../../kit/services";
import { operatorOf } from "./words";

/** All details of one entry. */
export function EntryDialog({ entry, onClose }: { entry: AuthAuditItem | undefined; onClose: () => void }) {
  const nameOf = useNameOf();
  return (
    <Dialog
      open={entry !== undefined}
      onClose={onClose}
      maxWidth="md"
      fullWidth
      aria-labelledby="entry-title"
    >
      {entry && (
        <>
          <DialogTitle id="entry-title">{`第 ${entry.number} 条：${nameOf(entry.call)}`}</DialogTitle>
          <DialogContent sx={{ display: "grid", gap: 2.5 }}>
            <Facts
              facts={[
                ["时间", moment(entry.at)],
                ["操作人", shown(operatorOf(entry))],
                ["对象", shown(entry.target)],
                ["来源地址", shown(entry.remoteAddr)],
                ["服务与接口", `${serviceName(entry.service)} ${entry.service} ${entry.call}`],
                ["权限", shown(entry.permission)],
                ["请求编号", shown(entry.requestId)],
                ["原因", shown(entry.reason)],
              ]}
            />
            <Difference before={readValue(entry.before)} after={readValue(entry.after)} />
            <Box sx={{ fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
              链上摘要{" "}
              <Box component="span" sx={{ fontFamily: monoFamily }}>
                {shown(entry.hash)}
              </Box>
            </Box>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>关闭</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
