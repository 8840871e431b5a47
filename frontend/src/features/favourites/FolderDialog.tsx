import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { type FormEvent, useEffect, useState } from "react";
import { type TransactionFavouriteFolder, useSaveFavouriteFolderMutation } from "@/calls/transaction";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";

const LONGEST = 20;

/** Creates or renames a folder. */
export function FolderDialog({
  open,
  folder,
  onClose,
}: {
  open: boolean;
  /** Missing: a new one. */
  folder?: Pick<TransactionFavouriteFolder, "folderId" | "name">;
  onClose: () => void;
}) {
  const { loginId } = useSession();
  const [save, { isLoading }] = useSaveFavouriteFolderMutation();
  const [name, setName] = useState("");
  const own = folder?.name ?? "";
  useEffect(() => {
    if (open) setName(own);
  }, [open, own]);
  const length = [...name.trim()].length;
  const error = length > LONGEST ? `名称最多 ${LONGEST} 个字符` : "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (length === 0 || error) return;
    try {
      await save({ userId: loginId, folderId: folder?.folderId ?? "", name: name.trim() }).unwrap();
      toast.success(folder ? "已保存" : "收藏夹已新建");
      onClose();
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="folder-title" maxWidth="xs" fullWidth>
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id="folder-title">{folder ? "重命名收藏夹" : "新建收藏夹"}</DialogTitle>
        <DialogContent>
          <TextField
            fullWidth
            autoFocus
            margin="dense"
            label="名称"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={error !== ""}
            helperText={error || `${length} / ${LONGEST}`}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} color="inherit">
            取消
          </Button>
          <Button
            type="submit"
            variant="contained"
            loading={isLoading}
            disabled={length === 0 || error !== ""}
          >
            {folder ? "保存" : "新建"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
