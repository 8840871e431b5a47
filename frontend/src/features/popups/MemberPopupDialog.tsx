import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId } from "react";

/** The operators' text is rendered as plain text. */
export default function MemberPopupDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const id = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={`${id}-title`}>会员通知</DialogTitle>
      <DialogContent
        id={`${id}-text`}
        sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: "24px" }}
      >
        {text}
      </DialogContent>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={onClose}>
          知道了
        </Button>
      </DialogActions>
    </Dialog>
  );
}
