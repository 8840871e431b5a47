import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { toast } from "@/ui/toast";
import { REASONS } from "./words";

const LONGEST = 500;

export interface Report {
  reason: string;
  content: string;
}

/** Reports a work or a comment. `send` throws if refused, after reporting the reason. */
export function ReportDialog({
  what,
  send,
  onClose,
}: {
  what: string;
  send: (report: Report) => Promise<unknown>;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const [content, setContent] = useState("");
  const [busy, setBusy] = useState(false);
  const length = [...content.trim()].length;
  const wordless = reason === "other" && length === 0;
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!reason || wordless || length > LONGEST) return;
    setBusy(true);
    try {
      await send({ reason, content: content.trim() });
      toast.success("已收到举报，我们会尽快核实");
      onClose();
    } catch {
      // already reported by the shared wrapper
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={busy ? undefined : onClose} aria-labelledby="report-title" maxWidth="xs" fullWidth>
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id="report-title">{`举报${what}`}</DialogTitle>
        <DialogContent>
          <RadioGroup aria-label="原因" value={reason} onChange={(_, value) => setReason(value)}>
            {REASONS.map(({ value, text }) => (
              <FormControlLabel key={value} value={value} control={<Radio size="small" />} label={text} />
            ))}
          </RadioGroup>
          <TextField
            fullWidth
            multiline
            minRows={3}
            margin="dense"
            label={reason === "other" ? "说明" : "说明（选填）"}
            value={content}
            onChange={(event) => setContent(event.target.value)}
            error={length > LONGEST}
            helperText={length > LONGEST ? `最多 ${LONGEST} 个字符` : `${length} / ${LONGEST}`}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={busy} color="inherit">
            取消
          </Button>
          <Button
            type="submit"
            variant="contained"
            loading={busy}
            disabled={!reason || wordless || length > LONGEST}
          >
            提交举报
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
