import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import type { TransactionListingResult } from "@/calls/transaction";
import { detailsPath } from "./words";

/** Listings that an action refused, each with its reason and a link. */
export function RefusedDialog({
  refused,
  nameOf,
  onClose,
}: {
  refused: readonly TransactionListingResult[];
  nameOf: (listingId: string) => string;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={refused.length > 0}
      onClose={onClose}
      maxWidth="sm"
      fullWidth
      aria-labelledby="refused-title"
    >
      <DialogTitle id="refused-title">{`${refused.length} 个模型没有完成`}</DialogTitle>
      <DialogContent>
        <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
          {refused.map(({ listingId, message }) => (
            <Box
              component="li"
              key={listingId}
              sx={{ py: 1, "& + &": { borderTop: 1, borderColor: "divider" }, overflowWrap: "anywhere" }}
            >
              <Link component={RouterLink} to={detailsPath(listingId)}>
                {nameOf(listingId)}
              </Link>
              <Box sx={{ fontSize: 13, color: "text.secondary" }}>{message}</Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          知道了
        </Button>
      </DialogActions>
    </Dialog>
  );
}
