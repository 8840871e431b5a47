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
import { type TransactionFileUse, useAddVersionMutation } from "@/calls/listings";
import { type ProcessSourceFile, useListFilesQuery } from "@/calls/process";
import { useSession } from "@/session";
import { formatBytes } from "@/ui/bytes";
import { toast } from "@/ui/toast";
import { lengthOf, MOST } from "./rules";
import { isMereDraft, useFileUses } from "./useFileUses";

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
  const uses = useFileUses(choices.map((file) => file.fileId));
  const isFree = (id: string) => {
    const use = uses.usedFor(id);
    return !use || isMereDraft(use);
  };
  const use = uses.usedFor(chosen);
  const draft = use && isMereDraft(use) ? use : undefined;
  const gives = draft?.described === true;
  const failed = files.isError || uses.failed;
  const reading = files.isFetching || !uses.known;
  const long = lengthOf(notes) > MOST.notes;
  const isChosen = (file: ProcessSourceFile) => file.fileId === chosen;
  const noteProblem = long
    ? `版本说明最多 ${MOST.notes} 个字符`
    : tried && notes.trim() === ""
      ? "请填写版本说明"
      : undefined;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (chosen === "" || !isFree(chosen) || reading || notes.trim() === "" || long) return;
    try {
      const about = { userId: loginId, listingId, fileId: chosen, notes: notes.trim() };
      await add(gives ? { ...about, giveUpDraft: true } : about).unwrap();
      toast.success("新版本已提交审核");
      onClose();
    } catch {
      // already reported by the shared wrapper; often the file is used elsewhere by now
      uses.reread();
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
          {failed ? (
            <Alert
              severity="error"
              action={
                <Button
                  color="inherit"
                  size="small"
                  onClick={() => (files.isError ? void files.refetch() : uses.reread())}
                >
                  重试
                </Button>
              }
            >
              源文件没有读取成功
            </Alert>
          ) : !reading && !choices.some((file) => isFree(file.fileId)) ? (
            <Alert severity="info">
              {choices.length > 0 && "已发布的源文件都已用于其他模型。"}
              没有可用的源文件。请先上传新的文件，通过体检并发布，再回到这里。
            </Alert>
          ) : (
            <TextField
              select
              required
              label="源文件"
              value={choices.some(isChosen) ? chosen : ""}
              disabled={reading}
              error={tried && chosen === ""}
              helperText={
                tried && chosen === "" ? "请选择源文件" : "只列出已发布的源文件；每个文件只用于一个模型"
              }
              onChange={(event) => setChosen(event.target.value)}
              slotProps={{ select: { renderValue: () => titleOf(choices.find(isChosen)) } }}
            >
              {choices.map((file) => (
                <MenuItem key={file.fileId} value={file.fileId} disabled={!isFree(file.fileId)}>
                  <Box sx={{ minWidth: 0, whiteSpace: "normal", overflowWrap: "anywhere" }}>
                    {titleOf(file)}
                    <UsedFor use={uses.usedFor(file.fileId)} listingId={listingId} />
                  </Box>
                </MenuItem>
              ))}
            </TextField>
          )}
          {gives && (
            <Alert severity="warning">
              {`这个文件已有填写了资料的草稿《${draft.name}》。用作新版本会删除这个草稿，填写的内容不能恢复。`}
            </Alert>
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
            {gives ? "删除草稿并提交审核" : "提交审核"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const titleOf = (file: ProcessSourceFile | undefined): string =>
  file
    ? `${file.modelName || file.fileName}（${file.format.toUpperCase()}，${formatBytes(file.fileSize)}）`
    : "";

/** Below a file: the model that it belongs to, or the draft that would be deleted. */
function UsedFor({ use, listingId }: { use: TransactionFileUse | undefined; listingId: string }) {
  if (!use) return null;
  const text =
    use.listingId === listingId
      ? "已用于这个模型以前的版本"
      : isMereDraft(use)
        ? `草稿《${use.name}》会被删除`
        : `已用于《${use.name}》`;
  return (
    <Box component="span" sx={{ display: "block", fontSize: 12, color: "text.secondary" }}>
      {text}
    </Box>
  );
}
