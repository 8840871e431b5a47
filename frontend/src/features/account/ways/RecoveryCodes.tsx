import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId } from "react";
import { shopMessages } from "@/messages/shop";
import { monoFamily } from "@/theme";
import { toast } from "@/ui/toast";

function download(codes: readonly string[]) {
  const text = `玄览云恢复码\n每个只能使用一次，请妥善保管。\n\n${codes.join("\n")}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "玄览云恢复码.txt";
  link.click();
  URL.revokeObjectURL(address);
}

/** Recovery codes that replace the authenticator app; shown only once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const titleId = useId();
  const copy = () =>
    navigator.clipboard.writeText(codes.join("\n")).then(
      () => toast.success(shopMessages.copied),
      () => toast.error(shopMessages.copyFailed),
    );
  return (
    <Dialog open aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>保存恢复码</DialogTitle>
      <DialogContent sx={{ pt: 0 }}>
        <Box sx={{ mb: 2, color: "text.secondary" }}>
          手机丢失或更换时，用它代替动态验证码登录，每个只能使用一次。关闭后不再显示。
        </Box>
        <Box
          component="ul"
          aria-label="恢复码"
          sx={{
            m: 0,
            p: 2,
            listStyle: "none",
            display: "grid",
            gridTemplateColumns: "repeat(auto-fill, minmax(136px, 1fr))",
            whiteSpace: "nowrap",
            fontSize: 13,
            gap: 1,
            fontFamily: monoFamily,
            bgcolor: "background.default",
            border: 1,
            borderColor: "divider",
            borderRadius: 1,
            userSelect: "all",
          }}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <Box sx={{ mt: 1.5, display: "flex", gap: 1 }}>
          <Button size="small" variant="outlined" onClick={() => void copy()}>
            复制
          </Button>
          <Button size="small" variant="outlined" onClick={() => download(codes)}>
            下载
          </Button>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          我已保存
        </Button>
      </DialogActions>
    </Dialog>
  );
}
