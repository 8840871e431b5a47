import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";
import { useOperatorRenewRecoveryCodesMutation } from "../../api/generated/auth";
import { RecoveryCodes } from "../RecoveryCodes";
import { Problem } from "./Problem";
import { useAct } from "./useAct";

/** Asks before the codes are replaced; then shows the new ones, until they are kept. */
export function CodesDialog({ onClose }: { onClose: () => void }) {
  const [renew] = useOperatorRenewRecoveryCodesMutation();
  const { busy, problem, run } = useAct();
  const [codes, setCodes] = useState<readonly string[]>();

  if (codes)
    return (
      <Dialog open maxWidth="sm" fullWidth aria-labelledby="codes-title">
        <DialogTitle id="codes-title">保存恢复码</DialogTitle>
        <DialogContent>
          <RecoveryCodes codes={codes} doneText="完成" onDone={onClose} />
        </DialogContent>
      </Dialog>
    );
  return (
    <FormDialog
      title="更换恢复码"
      note="原来的恢复码会全部作废，除本次登录外的其他登录会全部结束。"
      confirmText="生成新的恢复码"
      busy={busy}
      onSubmit={() =>
        void run(async () => {
          const { recoveryCodes } = await renew({}).unwrap();
          setCodes(recoveryCodes);
          toast.success("恢复码已更换，其他登录已结束");
        })
      }
      onClose={onClose}
    >
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}
