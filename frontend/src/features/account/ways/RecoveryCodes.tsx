import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId } from "react";
import { CodeSheet } from "@/ui/CodeSheet";

/** Recovery codes that replace the authenticator app; shown only once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const titleId = useId();
  return (
    <Dialog open aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>保存恢复码</DialogTitle>
      <DialogContent sx={{ pt: 0 }}>
        <Box sx={{ mb: 2, color: "text.secondary" }}>
          手机丢失或更换时，用它代替动态验证码登录，每个只能使用一次。关闭后不再显示。
        </Box>
        <CodeSheet
          codes={codes}
          fileName="玄览云恢复码.txt"
          head={"玄览云恢复码\r\n每个只能使用一次，请妥善保管。\r\n\r\n"}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          我已保存
        </Button>
      </DialogActions>
    </Dialog>
  );
}
