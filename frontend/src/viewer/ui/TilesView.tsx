import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import { useEffect, useId, useState } from "react";
import CenterFocusStrong from "@/ui/icons/CenterFocusStrong";
import PhotoCameraOutlined from "@/ui/icons/PhotoCameraOutlined";
import { toast } from "@/ui/toast";
import { Store } from "../engine/store";
import type { TilesFigures } from "../engine/TilesViewer";
import { StageFrame } from "./StageFrame";
import { StageOverlay } from "./StageOverlay";
import { KeysHint, moveCamera, stageFocus } from "./stageKeys";
import { makeTilesViewer, useEngine, useStore, waiting } from "./useViewer";

/** Tolerated error in pixels. */
const details = [
  { pixels: 32, label: "流畅" },
  { pixels: 16, label: "标准" },
  { pixels: 6, label: "精细" },
] as const;

const nothing = new Store<TilesFigures>({ visible: 0, loading: 0, triangles: 0 });

/** A tileset on a stage: tiles are loaded as the camera needs them. Fills its parent, which must have a height. */
export function TilesView({ url, name }: { url: string; name: string }) {
  const { holder, engine: viewer, fault, restart } = useEngine(makeTilesViewer);
  const state = useStore(viewer?.state ?? waiting);
  const figures = useStore(viewer?.figures ?? nothing);
  const [detail, setDetail] = useState<number>(16);
  const hint = useId();

  useEffect(() => {
    void viewer?.load(url);
  }, [viewer, url]);

  useEffect(() => {
    viewer?.setDetail(detail);
  }, [viewer, detail]);

  const retry = () => {
    if (fault || state.fault === "lost") restart();
    else void viewer?.load(url);
  };
  const screenshot = () => {
    viewer
      ?.screenshot(`${name || "模型"}.png`)
      .then(() => toast.success("截图已保存"))
      .catch(() => toast.error("截图没有保存成功，请重试"));
  };

  return (
    <StageFrame
      data-stage
      role="application"
      aria-label={`三维瓦片查看：${name}`}
      aria-describedby={hint}
      tabIndex={0}
      onKeyDown={(event) => {
        if (viewer && event.target === event.currentTarget) moveCamera(event, viewer.stage);
      }}
      sx={{ minHeight: 320, ...stageFocus }}
    >
      <KeysHint id={hint} />
      <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
      <StageOverlay {...state} fault={fault ?? state.fault} onRetry={retry} />
      <Box
        role="toolbar"
        aria-label="查看工具"
        sx={{
          position: "absolute",
          zIndex: 3,
          left: 12,
          right: 12,
          bottom: 12,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.5,
        }}
      >
        <ToggleButtonGroup
          size="small"
          exclusive
          aria-label="精细度"
          value={detail}
          onChange={(_, value: number | null) => value && setDetail(value)}
          sx={{ bgcolor: "rgba(19,26,46,.9)" }}
        >
          {details.map(({ pixels, label }) => (
            <ToggleButton key={pixels} value={pixels}>
              {label}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Tooltip title="回到全景">
          <IconButton size="small" aria-label="回到全景" onClick={() => viewer?.stage.reset()}>
            <CenterFocusStrong fontSize="small" />
          </IconButton>
        </Tooltip>
        <Tooltip title="截图">
          <IconButton size="small" aria-label="截图" onClick={screenshot}>
            <PhotoCameraOutlined fontSize="small" />
          </IconButton>
        </Tooltip>
        {state.shown && (
          <Box sx={{ ml: "auto", fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
            {`画面 ${figures.visible.toLocaleString("zh-CN")} 块　${Math.round(figures.triangles).toLocaleString("zh-CN")} 面${figures.loading > 0 ? "　载入中" : ""}`}
          </Box>
        )}
      </Box>
    </StageFrame>
  );
}
