import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { CopyText } from "@/ui/CopyText";
import { messageOf } from "../../api/envelope";
import { type ContentArticleItem, useArticlePreviewMutation } from "../../api/generated/content";
import { minute } from "../../kit/format";

/** Creates a public link to the draft, valid for an hour. The console does not know the site's host: it shows the path. */
export function PreviewDialog({ article, onClose }: { article: ContentArticleItem; onClose: () => void }) {
  const [make, { data, error, isLoading }] = useArticlePreviewMutation();
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="preview-title">
      <DialogTitle id="preview-title">预览链接</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ color: "text.secondary" }}>
          {`得到链接的人一小时内都能看到版本 ${article.latestRevision} 的样子，不用登录；网站上展示的不变。`}
        </Box>
        {data && (
          <Box sx={{ overflowWrap: "anywhere" }}>
            <Box sx={{ mb: 0.5, fontSize: 13 }}>接在网站域名之后打开：</Box>
            <CopyText text={data.path} label="预览路径" />
            <Box
              sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}
            >{`${minute(data.expiresAt)} 失效`}</Box>
          </Box>
        )}
        {error && (
          <Box role="alert" sx={{ fontSize: 13, color: "error.main" }}>
            {messageOf(error) || "没有生成，请稍后重试"}
          </Box>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} color="inherit">
          关闭
        </Button>
        <Button variant="contained" loading={isLoading} onClick={() => void make({ id: article.id })}>
          {data ? "重新生成" : "生成"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
