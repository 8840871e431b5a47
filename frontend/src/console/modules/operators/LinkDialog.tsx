import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { CopyText } from "@/ui/CopyText";
import { minute } from "../../kit/format";

export interface Link {
  name: string;
  link: string;
  expiresAt: number;
}

/** Address of a one-use link. */
export const linkAddress = (link: string): string =>
  `${window.location.origin}${window.location.pathname}#/enrol/${encodeURIComponent(link)}`;

/** The link is shown only once: the server stores only its hash. */
export function LinkDialog({ link, onClose }: { link: Link | undefined; onClose: () => void }) {
  return (
    <Dialog open={link !== undefined} maxWidth="sm" fullWidth aria-labelledby="link-title">
      {link && (
        <>
          <DialogTitle id="link-title">{`${link.name} 的开通链接`}</DialogTitle>
          <DialogContent sx={{ display: "grid", gap: 1.5 }}>
            <Box sx={{ color: "text.secondary" }}>
              {`链接只显示这一次，只能使用一次，${minute(link.expiresAt)} 前有效。请通过可靠的渠道交给本人。`}
            </Box>
            <Box
              sx={{
                p: 1.5,
                borderRadius: 1,
                backgroundColor: "background.default",
                overflowWrap: "anywhere",
                fontSize: 13,
              }}
            >
              <CopyText text={linkAddress(link.link)} label="开通链接" />
            </Box>
          </DialogContent>
          <DialogActions>
            <Button variant="contained" onClick={onClose}>
              已交给本人
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
