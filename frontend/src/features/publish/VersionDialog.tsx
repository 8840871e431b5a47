import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { useAddVersionMutation } from "@/calls/listings";
import { useListFilesQuery } from "@/calls/process";
import { useSession } from "@/session";
import { formatBytes } from "@/ui/bytes";
import { toast } from "@/ui/toast";
import { lengthOf, MOST } from "./rules";

/** Files on one page of the choice; others are found by name. */
const FILES = 100;

/** Adds another released file as a new version, with its notes. */
export function VersionDialog({
  listingId,
  fileId,
  onClose,
}: {
  listingId: string;
  /** File of the current version. */
  fileId: string;
  onClose: () => void;
}) {
  const { loginId } = useSession();
  const [keyword, setKeyword] = useState("");
  const [asked, setAsked] = useState("");
  const files = useListFilesQuery(
    { pageNo: 1, pageSize: FILES, keyword: asked, status: "ready" },
    { refetchOnMountOrArgChange: true },
  );
  const [add, { isLoading }] = useAddVersionMutation();
  const [chosen, setChosen] = useState("");
  const [notes, setNotes] = useState("");
  const [tried, setTried] = useState(false);
  const choices = (files.data?.results ?? []).filter((file) => file.released && file.fileId !== fileId);
  const long = lengthOf(notes) > MOST.notes;
  const noteProblem = long
    ? `版本说明最多 ${MOST.notes} 个字符`
    : tried && notes.trim() === ""
      ? "请填写版本说明"
      : undefined;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (chosen === "" || notes.trim() === "" || long) return;
    try {
      await add({ userId: loginId, listingId, fileId: chosen, notes: notes.trim() }).unwrap();
      toast.success("新版本已提交审核");
      onClose();
    } catch {
      // already reported by the shared wrapper
    }
  }

  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="version-title">
      <form noValidate onSubmit={submit}>
        <DialogTitle id="version-title">发布新版本</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2.5 }}>
          <Box sx={{ color: "text.secondary" }}>
            审核期间商城仍展示和销售现在的版本。已拥有的人可以下载新版本，并保留以前的每个版本。
          </Box>
          <TextField
            label="按名称查找源文件"
            value={keyword}
            onChange={(event) => setKeyword(event.target.value)}
            onBlur={() => setAsked(keyword.trim())}
            slotProps={{ htmlInput: { maxLength: 60 }, inputLabel: { shrink: true } }}
          />
          {files.isError ? (
            <Alert
              severity="error"
              action={
                <Button color="inherit" size="small" onClick={() => void files.refetch()}>
                  重试
                </Button>
              }
            >
              源文件没有读取成功
            </Alert>
          ) : !files.isFetching && choices.length === 0 ? (
            <Alert severity="info">没有可用的源文件。请先上传新的文件，通过体检并发布，再回到这里。</Alert>
          ) : (
            <TextField
              select
              required
              label="源文件"
              value={choices.some((file) => file.fileId === chosen) ? chosen : ""}
              disabled={files.isFetching}
              error={tried && chosen === ""}
              helperText={
                tried && chosen === "" ? "请选择源文件" : "只列出已发布的源文件；每个文件只用于一个模型"
              }
              onChange={(event) => setChosen(event.target.value)}
            >
              {choices.map((file) => (
                <MenuItem key={file.fileId} value={file.fileId}>
                  {`${file.modelName || file.fileName}（${file.format.toUpperCase()}，${formatBytes(file.fileSize)}）`}
                </MenuItem>
              ))}
            </TextField>
          )}
          <TextField
            label="版本说明"
            required
            multiline
            minRows={3}
            value={notes}
            error={noteProblem !== undefined}
            helperText={noteProblem ?? "说明这一版改了什么，买家会看到"}
            slotProps={{ inputLabel: { shrink: true } }}
            onChange={(event) => setNotes(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose} disabled={isLoading}>
            取消
          </Button>
          <Button type="submit" variant="contained" loading={isLoading}>
            提交审核
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
