import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { type ReactNode, useId } from "react";

/** A form in a dialog: its purpose, its fields, cancel and confirm. */
export function FormDialog({
  title,
  note,
  children,
  over,
  busy,
  confirmText = "确认修改",
  danger = false,
  onSubmit,
  onClose,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
  /** Covers the whole dialog, like the puzzle. */
  over?: ReactNode;
  busy: boolean;
  confirmText?: string;
  danger?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}) {
  const titleId = useId();
  return (
    <Dialog
      open
      // A click outside must not discard the input.
      onClose={(_event, reason) => reason === "escapeKeyDown" && onClose()}
      aria-labelledby={titleId}
      maxWidth="xs"
      fullWidth
      slotProps={{ paper: { sx: { position: "relative", ...(over ? { minHeight: 420 } : {}) } } }}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <DialogContent sx={{ pt: 0 }}>
          {note && <Box sx={{ mb: 2, color: "text.secondary" }}>{note}</Box>}
          {children}
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose} disabled={busy}>
            取消
          </Button>
          <Button type="submit" variant="contained" color={danger ? "error" : "primary"} loading={busy}>
            {confirmText}
          </Button>
        </DialogActions>
      </form>
      {over}
    </Dialog>
  );
}
