import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { getConfig } from "@/api/config";
import type { WorksShare } from "@/calls/works";
import { CopyText } from "@/ui/CopyText";
import { Panel } from "@/ui/Panel";
import { QrCode } from "@/ui/QrCode";
import { toast } from "@/ui/toast";
import { frameCode, linkOf, readOptions, scriptCode } from "./shareRules";

/** Link, QR code, and embed code for other sites. */
export function ShareResult({ share }: { share: WorksShare }) {
  const { embedUrl } = getConfig();
  const url = linkOf(embedUrl, share.shareId);
  const options = readOptions(share.options);
  return (
    <Panel title="链接与代码">
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 3 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3, alignItems: "center" }}>
          <QrCode value={url} label="用手机打开" />
          <Box sx={{ flex: 1, minWidth: 220 }}>
            <Box sx={{ fontSize: 13, color: "text.secondary", mb: 0.5 }}>分享链接</Box>
            <Box sx={{ overflowWrap: "anywhere" }}>
              <CopyText text={url} label="分享链接" />
            </Box>
          </Box>
        </Box>
        {share.framed ? (
          <>
            <Code label="嵌入代码（iframe）" text={frameCode(url, share.worksName, options)} />
            <Code label="嵌入代码（SDK）" text={scriptCode(embedUrl, url, share.worksName, options)} />
          </>
        ) : (
          <Box sx={{ fontSize: 14, color: "text.secondary" }}>
            私密作品只能嵌入指定的网站：填写域名并保存后，这里会出现嵌入代码。
          </Box>
        )}
      </Box>
    </Panel>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast.success("代码已复制"),
      () => toast.warning("复制失败，请手动选取"),
    );
  return (
    <Box>
      <TextField
        fullWidth
        multiline
        maxRows={8}
        size="small"
        label={label}
        value={text}
        slotProps={{
          htmlInput: { readOnly: true, spellCheck: false, style: { fontFamily: "monospace", fontSize: 13 } },
        }}
      />
      <Button size="small" onClick={() => void copy()} sx={{ mt: 0.5 }}>
        {`复制${label}`}
      </Button>
    </Box>
  );
}
