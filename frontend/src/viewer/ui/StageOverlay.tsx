import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { STUDIO } from "@/facts/studio";
import { formatBytes } from "@/ui/bytes";
import { type Backdrop, backdropCss, type Ground } from "../engine/backdrop";
import { type ViewerFault, viewerMessages } from "../engine/errors";
import { STAGE_FILL } from "../engine/sizes";
import type { ViewerState } from "../engine/state";

/** Scale of the poster, so that its model is as large as the stage's. */
const POSTER_SCALE = STAGE_FILL / STUDIO.fill;

/**
 * What a model will look like. It stands behind the stage's canvas, which is hidden until the model is drawn, so that no frame
 * waits for the poster to go.
 */
export function Poster({ url, ground = "dark" }: { url?: string; ground?: Backdrop | Ground }) {
  if (!url) return null;
  return (
    <Box sx={{ position: "absolute", inset: 0, backgroundImage: backdropCss(ground) }}>
      <Box
        component="img"
        src={url}
        alt=""
        sx={{
          position: "absolute",
          inset: 0,
          width: "100%",
          height: "100%",
          objectFit: "contain",
          transform: `scale(${POSTER_SCALE})`,
        }}
      />
    </Box>
  );
}

/** Over the stage: the progress, or the error. */
export function StageOverlay({
  phase,
  fault,
  progress,
  loadedBytes,
  totalBytes,
  coarse,
  onRetry,
}: {
  phase: ViewerState["phase"];
  fault: ViewerFault | undefined;
  progress: number | undefined;
  loadedBytes: number;
  totalBytes: number;
  coarse: boolean;
  onRetry: () => void;
}) {
  if (fault) {
    const { title, hint } = viewerMessages[fault];
    return (
      <Box
        role="alert"
        sx={{ ...cover, flexDirection: "column", gap: 1, px: 3, bgcolor: "rgba(11,16,32,.86)" }}
      >
        <Box sx={{ fontSize: 16, fontWeight: 500, color: "text.primary" }}>{title}</Box>
        <Box sx={{ color: "text.secondary", maxWidth: 420 }}>{hint}</Box>
        {fault !== "unsupported" && (
          <Button variant="outlined" size="small" onClick={onRetry} sx={{ mt: 1.5 }}>
            重新载入
          </Button>
        )}
      </Box>
    );
  }
  const finishing = totalBytes > 0 && loadedBytes >= totalBytes;
  return (
    <Box sx={{ ...cover, pointerEvents: "none" }}>
      {phase !== "ready" && <Progress {...{ progress, loadedBytes, totalBytes, coarse, finishing }} />}
    </Box>
  );
}

function Progress({
  progress,
  loadedBytes,
  totalBytes,
  coarse,
  finishing,
}: {
  progress: number | undefined;
  loadedBytes: number;
  totalBytes: number;
  coarse: boolean;
  finishing: boolean;
}) {
  return (
    <Box
      role="status"
      sx={{
        position: "absolute",
        left: "50%",
        bottom: { xs: 72, sm: 40 },
        transform: "translateX(-50%)",
        width: 260,
        maxWidth: "80%",
        p: 1.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.86)",
        border: 1,
        borderColor: "divider",
      }}
    >
      <Box
        sx={{
          display: "flex",
          justifyContent: "space-between",
          fontSize: 12,
          color: "text.secondary",
          mb: 0.75,
        }}
      >
        <span>{finishing ? "正在解析模型" : coarse ? "正在载入完整模型" : "正在载入模型"}</span>
        <Box component="span" sx={{ fontVariantNumeric: "tabular-nums" }}>
          {totalBytes > 0
            ? `${formatBytes(loadedBytes)} / ${formatBytes(totalBytes)}`
            : loadedBytes > 0
              ? formatBytes(loadedBytes)
              : ""}
        </Box>
      </Box>
      {/* Without a moving bar: each of its frames is one that the engine, which starts now, waits for. */}
      <LinearProgress
        aria-label="载入进度"
        variant="determinate"
        value={finishing ? 100 : (progress ?? 0) * 100}
        sx={{ "& > *": { transition: "none" } }}
      />
    </Box>
  );
}

const cover = {
  position: "absolute",
  inset: 0,
  display: "flex",
  alignItems: "center",
  justifyContent: "center",
  textAlign: "center",
} as const;
