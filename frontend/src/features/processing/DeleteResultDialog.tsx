import { type ProcessServiceResult, useDeleteResultMutation } from "@/calls/process";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { isOpen } from "./status";

export function DeleteResultDialog({
  result,
  onClose,
  onDeleted,
}: {
  result: ProcessServiceResult | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const [remove] = useDeleteResultMutation();
  const running = result !== undefined && isOpen(result.status);
  const confirm = async () => {
    if (!result) return;
    try {
      await remove({ resultId: result.resultId }).unwrap();
      toast.success(running ? "已取消并删除" : "已删除");
      onClose();
      onDeleted?.();
    } catch {
      // already reported by the shared wrapper
    }
  };
  return (
    <ConfirmDialog
      open={result !== undefined}
      title={running ? "取消并删除这个任务？" : "删除服务结果？"}
      danger
      confirmText={running ? "取消并删除" : "删除"}
      cancelText="保留"
      onConfirm={confirm}
      onClose={onClose}
    >
      {running ? "任务会停止，已完成的部分不会保留。" : "结果文件会被删除，无法恢复；源文件不受影响。"}
    </ConfirmDialog>
  );
}
