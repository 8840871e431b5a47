import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { shopMessages } from "@/messages/shop";

/** Reports why an order could not be created. */
export function OrderAlert({ message, onClose }: { message: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      slotProps={{
        paper: {
          role: "alertdialog",
          "aria-labelledby": "order-alert-title",
          "aria-describedby": "order-alert-text",
        },
      }}
    >
      <DialogTitle id="order-alert-title">{shopMessages.orderAlertTitle}</DialogTitle>
      <DialogContent id="order-alert-text">{message}</DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose} autoFocus>
          知道了
        </Button>
      </DialogActions>
    </Dialog>
  );
}
