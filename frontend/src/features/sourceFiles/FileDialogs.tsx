import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import { type ProcessSourceFile, useDeleteFileMutation } from "@/calls/process";
import { NameForm } from "@/features/upload";
import { defaultModelName } from "@/transfer/rules";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import Close from "@/ui/icons/Close";
import { toast } from "@/ui/toast";

/** editDialog: name and labels. publishDialog: also turns the file into a model. */
export function NameDialog({
  file,
  release,
  onDone,
  onClose,
}: {
  file: ProcessSourceFile | undefined;
  release: boolean;
  /** Called before it closes, if it was saved. */
  onDone?: (fileId: string) => void;
  onClose: () => void;
}) {
  return (
    <Dialog open={file !== undefined} onClose={onClose} aria-labelledby="name-title" maxWidth="xs" fullWidth>
      <DialogTitle id="name-title" sx={{ display: "flex", alignItems: "center" }}>
        {release ? "发布模型" : "编辑源文件"}
        <IconButton aria-label="关闭" onClick={onClose} sx={{ ml: "auto", mr: -1 }}>
          <Close fontSize="small" />
        </IconButton>
      </DialogTitle>
      <DialogContent>
        {release && (
          <Box sx={{ mb: 2, color: "text.secondary" }}>
            发布后，文件以这个名称和标签进入发布中心，仍只有自己可见；在那里补全资料、通过审核后在商城上架。
          </Box>
        )}
        {file && (
          <Box sx={{ pt: 1 }}>
            <NameForm
              fileId={file.fileId}
              modelType={file.modelType === 2 ? "scene" : "object"}
              defaultName={file.modelName || defaultModelName(file.fileName)}
              defaultLabels={file.labelIds}
              release={release}
              submitText={release ? "发布" : "保存"}
              onCancel={onClose}
              onDone={() => {
                toast.success(release ? "模型已发布" : "已保存");
                onDone?.(file.fileId);
                onClose();
              }}
            />
          </Box>
        )}
      </DialogContent>
    </Dialog>
  );
}

export function DeleteDialog({
  file,
  onClose,
}: {
  file: ProcessSourceFile | undefined;
  onClose: () => void;
}) {
  const [remove] = useDeleteFileMutation();
  const confirm = async () => {
    if (!file) return;
    try {
      await remove({ fileId: file.fileId }).unwrap();
      toast.success("已删除");
      onClose();
    } catch {
      // already reported by the shared wrapper
    }
  };
  return (
    <ConfirmDialog
      open={file !== undefined}
      title="删除源文件？"
      danger
      confirmText="删除"
      onConfirm={confirm}
      onClose={onClose}
    >
      {`“${file?.modelName || file?.fileName || ""}”和它的预览会被删除，无法恢复。已生成的服务结果会保留。`}
    </ConfirmDialog>
  );
}
