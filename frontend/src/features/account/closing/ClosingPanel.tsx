import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useCancelClosureMutation, useClosureStateQuery } from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { SettingRow } from "../SettingRow";
import { timeText } from "../sessions/words";
import { ClosingDialog } from "./ClosingDialog";

/** Requests the closure of the account, or cancels it within the grace period. */
export function ClosingPanel() {
  const closure = useClosureStateQuery({});
  const [asking, setAsking] = useState(false);
  const [cancel, { isLoading }] = useCancelClosureMutation();
  const waiting = closure.data?.state === "waiting";

  const keep = async () => {
    const answer = await cancel({});
    if (!answer.error) toast.success(m.accountKept);
  };

  return (
    <Panel title="注销账号">
      {closure.isLoading && (
        <Box sx={{ p: 2.5 }}>
          <LinesSkeleton lines={2} />
        </Box>
      )}
      {closure.isError && <ReadFailed dense what="注销状态" onRetry={closure.refetch} />}
      {closure.data && waiting && (
        <SettingRow
          title="注销状态"
          value={`将于 ${timeText(closure.data.dueAt)} 注销`}
          note="到期前一切照常，随时可以撤销。到期后账号与数据立即删除，无法恢复。"
          action={
            <Button size="small" variant="outlined" loading={isLoading} onClick={() => void keep()}>
              撤销注销
            </Button>
          }
        />
      )}
      {closure.data && !waiting && (
        <SettingRow
          title="注销账号"
          value={`提交后有 ${closure.data.days} 天可以反悔`}
          note="到期后，资料、文件、处理结果、消息与登录方式全部删除，手机号可以重新注册。"
          action={
            <Button size="small" variant="outlined" color="error" onClick={() => setAsking(true)}>
              注销账号
            </Button>
          }
        />
      )}
      {asking && <ClosingDialog onClose={() => setAsking(false)} />}
    </Panel>
  );
}
