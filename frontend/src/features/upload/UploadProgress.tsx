import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { UpgradeButton } from "@/features/membership";
import { formatBytes } from "@/ui/bytes";
import { type FlowState, type UploadFlow, uploadMessage } from "./flow";
import { formatRemaining, uploadTexts } from "./texts";

const titles: Record<FlowState["upload"]["phase"], string> = {
  preparing: "正在准备上传",
  uploading: "正在上传",
  paused: "已暂停",
  finishing: "正在合并分片",
  complete: "上传完成",
  failed: "上传中断",
  cancelled: "已取消",
};

/** State of the upload as text. */
export function progressTitle({ upload, submitting }: FlowState): string {
  if (submitting) return "上传完成，正在提交体检";
  const waits = upload.phase === "preparing" || upload.phase === "uploading" || upload.phase === "finishing";
  if (upload.offline && waits) return uploadTexts.offline;
  return upload.draining ? uploadTexts.draining : titles[upload.phase];
}

/** Progress of one file, with its actions. */
export function UploadProgress({
  flow,
  state,
  onCancel,
}: {
  flow: UploadFlow;
  state: FlowState;
  onCancel: () => void;
}) {
  const { upload, submitError } = state;
  const { offline } = upload;
  const percent = upload.size > 0 ? Math.min(100, (upload.sentBytes / upload.size) * 100) : 0;
  const failure = upload.phase === "failed" ? uploadMessage(upload) : submitError;
  return (
    <Box>
      <Box sx={{ display: "flex", gap: 2, alignItems: "baseline", justifyContent: "space-between" }}>
        <Box sx={{ fontWeight: 500, overflowWrap: "anywhere", minWidth: 0 }}>{upload.fileName}</Box>
        <Box sx={{ color: "text.secondary", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}>
          {formatBytes(upload.size)}
        </Box>
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, mt: 1.5 }}>
        <LinearProgress
          aria-label="上传进度"
          variant={upload.phase === "preparing" && !offline ? "indeterminate" : "determinate"}
          value={percent}
          color={
            failure ? "error" : offline ? "warning" : upload.phase === "complete" ? "success" : "primary"
          }
          sx={{ flex: 1, height: 6, borderRadius: 3 }}
        />
        <Box
          sx={{ width: 44, textAlign: "right", fontVariantNumeric: "tabular-nums" }}
        >{`${Math.floor(percent)}%`}</Box>
      </Box>
      <Box
        role="status"
        sx={{
          display: "flex",
          flexWrap: "wrap",
          columnGap: 2,
          mt: 0.75,
          fontSize: 12,
          color: "text.secondary",
          fontVariantNumeric: "tabular-nums",
        }}
      >
        <Box component="span" sx={offline ? { color: "warning.dark", fontWeight: 500 } : undefined}>
          {progressTitle(state)}
        </Box>
        {upload.phase === "uploading" && !offline && (
          <>
            <span>{`${formatBytes(upload.sentBytes)} / ${formatBytes(upload.size)}`}</span>
            <span>{`${formatBytes(upload.bytesPerSecond)}/秒`}</span>
            <span>{formatRemaining(upload.secondsLeft)}</span>
          </>
        )}
        {upload.resumedBytes > 0 && upload.phase !== "complete" && (
          <span>{`已有 ${formatBytes(upload.resumedBytes)} 无需重传`}</span>
        )}
      </Box>
      {failure && (
        <Alert
          severity="error"
          sx={{ mt: 2 }}
          action={
            <>
              {state.limited && <UpgradeButton />}
              <Button color="inherit" size="small" onClick={() => void flow.start()}>
                重试
              </Button>
            </>
          }
        >
          {failure}
        </Alert>
      )}
      <Box sx={{ display: "flex", gap: 1, mt: 2 }}>
        {(upload.phase === "uploading" || upload.phase === "preparing") && (
          <Button size="small" variant="outlined" onClick={() => flow.pause()}>
            暂停
          </Button>
        )}
        {upload.phase === "paused" && (
          <Button size="small" variant="contained" onClick={() => void flow.start()}>
            继续上传
          </Button>
        )}
        {upload.phase !== "complete" && upload.phase !== "cancelled" && (
          <Button size="small" color="inherit" onClick={onCancel}>
            取消上传
          </Button>
        )}
      </Box>
    </Box>
  );
}
