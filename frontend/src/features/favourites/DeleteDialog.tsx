import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useState } from "react";
import { type TransactionFavouriteFolder, useDeleteFavouriteFolderMutation } from "@/calls/transaction";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { FolderChoice } from "./FolderChoice";

/** Asks what to do with a folder's models, then deletes it. */
export function DeleteDialog({
  folder,
  folders,
  onClose,
  onDeleted,
}: {
  folder?: TransactionFavouriteFolder;
  folders: readonly TransactionFavouriteFolder[];
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const { loginId } = useSession();
  const [remove] = useDeleteFavouriteFolderMutation();
  const [fate, setFate] = useState<"move" | "go">("move");
  const [target, setTarget] = useState("default");
  if (!folder) return null;
  const { folderId, name, count } = folder;

  async function confirm() {
    try {
      const moveToId = count > 0 && fate === "move" ? target : "";
      await remove({ userId: loginId, folderId, moveToId }).unwrap();
      toast.success("收藏夹已删除");
      onClose();
      onDeleted?.();
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <ConfirmDialog
      open
      danger
      title={`删除收藏夹“${name}”`}
      confirmText="删除"
      onConfirm={confirm}
      onClose={onClose}
    >
      {count === 0 ? (
        "这个收藏夹是空的，删除后不能恢复。"
      ) : (
        <>
          {`其中的 ${count} 个模型：`}
          <RadioGroup
            aria-label="其中的模型"
            value={fate}
            onChange={(_, value) => setFate(value === "go" ? "go" : "move")}
          >
            <FormControlLabel value="move" control={<Radio />} label="移动到其他收藏夹" />
            {fate === "move" && (
              <FolderChoice folders={folders} without={folderId} value={target} onChange={setTarget} />
            )}
            <FormControlLabel value="go" control={<Radio />} label="一并取消收藏" />
          </RadioGroup>
        </>
      )}
    </ConfirmDialog>
  );
}
