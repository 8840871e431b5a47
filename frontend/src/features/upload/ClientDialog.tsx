import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { getConfig } from "@/api";
import { useGetLatestClientVersionQuery } from "@/calls/personal";
import { ClientVersion } from "@/ui/ClientVersion";

/** Recommends the desktop client and support for files too large for the browser and for failed uploads. */
export function ClientDialog({ message, onClose }: { message: string | undefined; onClose: () => void }) {
  const open = message !== undefined;
  const { data, isFetching } = useGetLatestClientVersionQuery({}, { skip: !open });
  const fileUrl = data?.fileUrl;
  const { hotline, qqConsultUrl } = getConfig();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="client-title" maxWidth="xs" fullWidth>
      <DialogTitle id="client-title">建议使用桌面客户端</DialogTitle>
      <DialogContent>
        <Box sx={{ mb: 1.5 }}>{message}</Box>
        <Box sx={{ color: "text.secondary" }}>
          桌面客户端适合大文件和不稳定的网络：断网后自动续传，不占用浏览器内存。
          {!isFetching && !fileUrl && "客户端安装包尚未发布，请先联系客服协助上传。"}
        </Box>
        {fileUrl && (
          <Box sx={{ mt: 2 }}>
            <ClientVersion version={data.version} notes={data.notes} sha256={data.sha256} />
          </Box>
        )}
        {hotline && <Box sx={{ mt: 1.5, color: "text.secondary" }}>{`客服电话：${hotline}`}</Box>}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          关闭
        </Button>
        {qqConsultUrl && (
          <Button href={qqConsultUrl} target="_blank" rel="noreferrer">
            联系客服
          </Button>
        )}
        {fileUrl && (
          <Button variant="contained" href={fileUrl} download>
            下载客户端
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
