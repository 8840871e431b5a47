import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import type { ReactNode, RefObject } from "react";
import CenterFocusStrong from "@/ui/icons/CenterFocusStrong";
import FullscreenExitOutlined from "@/ui/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@/ui/icons/FullscreenOutlined";
import Pause from "@/ui/icons/Pause";
import PlayArrow from "@/ui/icons/PlayArrow";
import type { Viewer } from "../engine/Viewer";
import { useFullscreen } from "./useFullscreen";
import { useStore } from "./useViewer";

function Tool({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <IconButton size="small" aria-label={name} title={name} onClick={onClick}>
      {children}
    </IconButton>
  );
}

/** The few tools of a preview: no timeline and no rail, so that a page with a preview stays light. */
export function PreviewTools({ viewer, holder }: { viewer: Viewer; holder: RefObject<HTMLElement | null> }) {
  const { clips, playing } = useStore(viewer.animation.state);
  const { fullscreen, toggleFullscreen } = useFullscreen(holder);
  return (
    <Box
      role="group"
      aria-label="查看工具"
      sx={{
        position: "absolute",
        zIndex: 2,
        right: 12,
        bottom: 12,
        display: "flex",
        gap: 0.5,
        p: 0.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.9)",
        border: 1,
        borderColor: "divider",
      }}
    >
      {clips.length > 0 && (
        <Tool name={playing ? "暂停" : "播放"} onClick={() => viewer.animation.toggle()}>
          {playing ? <Pause /> : <PlayArrow />}
        </Tool>
      )}
      <Tool name="复位" onClick={() => viewer.stage.reset()}>
        <CenterFocusStrong />
      </Tool>
      {document.fullscreenEnabled && (
        <Tool name={fullscreen ? "退出全屏" : "全屏"} onClick={toggleFullscreen}>
          {fullscreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        </Tool>
      )}
    </Box>
  );
}
