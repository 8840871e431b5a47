import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { type ReactNode, useState } from "react";
import CenterFocusStrong from "@/ui/icons/CenterFocusStrong";
import FullscreenExitOutlined from "@/ui/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@/ui/icons/FullscreenOutlined";
import GridOnOutlined from "@/ui/icons/GridOnOutlined";
import HexagonOutlined from "@/ui/icons/HexagonOutlined";
import InfoOutlined from "@/ui/icons/InfoOutlined";
import KeyboardOutlined from "@/ui/icons/KeyboardOutlined";
import LightModeOutlined from "@/ui/icons/LightModeOutlined";
import PhotoCameraOutlined from "@/ui/icons/PhotoCameraOutlined";
import StraightenOutlined from "@/ui/icons/StraightenOutlined";
import TouchAppOutlined from "@/ui/icons/TouchAppOutlined";
import VerticalSplitOutlined from "@/ui/icons/VerticalSplitOutlined";
import ZoomOutMapOutlined from "@/ui/icons/ZoomOutMapOutlined";
import type { Viewer } from "../engine/Viewer";
import { useStore } from "./useViewer";

export interface RailActions {
  toggleFacts: () => void;
  toggleHelp: () => void;
  toggleLight: () => void;
  toggleFullscreen: () => void;
  screenshot: () => void;
}

/** A glow at an end of the row behind which there are more tools; the row's own colour scrolls over it at the last one. */
const end = (side: "left" | "right", from: "left" | "right") =>
  `linear-gradient(to ${from}, #131A2E 40%, transparent) ${side} / 40px 100% no-repeat local,` +
  `linear-gradient(to ${from}, rgba(91,140,255,.45), transparent) ${side} / 24px 100% no-repeat scroll`;
const MORE_BESIDE = `${end("left", "right")}, ${end("right", "left")}, rgba(19,26,46,.9)`;

/** The tools, in one column at the left; on a narrow stage in one scrolling row at the bottom. */
export function ToolRail({
  viewer,
  actions,
  factsOpen,
  lightOpen,
  helpOpen,
  fullscreen,
}: {
  viewer: Viewer;
  actions: RailActions;
  factsOpen: boolean;
  lightOpen: boolean;
  helpOpen: boolean;
  fullscreen: boolean;
}) {
  const wire = useStore(viewer.wireframe.state);
  const grid = useStore(viewer.grid.state);
  const measure = useStore(viewer.measure.state);
  const section = useStore(viewer.section.state);
  const explode = useStore(viewer.explode.state);
  const inspect = useStore(viewer.inspect.state);
  const ready = useStore(viewer.state).shown;
  return (
    <Box
      role="toolbar"
      aria-label="查看工具"
      aria-orientation="vertical"
      sx={{
        position: "absolute",
        zIndex: 3,
        display: "flex",
        gap: 0.25,
        p: 0.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.9)",
        border: 1,
        borderColor: "divider",
        left: 12,
        top: "50%",
        transform: "translateY(-50%)",
        flexDirection: "column",
        maxHeight: "calc(100% - 24px)",
        overflow: "auto",
        scrollbarWidth: "none",
        "@container stage (max-width: 620px)": {
          left: 8,
          right: 8,
          top: "auto",
          bottom: 8,
          transform: "none",
          flexDirection: "row",
          background: MORE_BESIDE,
        },
        "@container stage (max-height: 600px) and (min-width: 621px)": {
          flexWrap: "wrap",
          maxWidth: 92,
        },
      }}
    >
      <Tool
        label="复位视角"
        shortcut="R"
        disabled={!ready}
        onClick={() => viewer.focus()}
        icon={<CenterFocusStrong />}
      />
      {/* near the start: a narrow row shows only its first tools, and there the report is closed at first */}
      <Tool
        label="模型信息"
        shortcut="S"
        active={factsOpen}
        onClick={actions.toggleFacts}
        icon={<InfoOutlined />}
      />
      <Divide />
      <Tool
        label={wire.mode === "off" ? "线框" : wire.mode === "overlay" ? "线框：叠加" : "线框：仅线框"}
        shortcut="W"
        disabled={!ready}
        active={wire.mode !== "off"}
        onClick={() => viewer.wireframe.next()}
        icon={<HexagonOutlined />}
      />
      <Tool
        label="网格与坐标轴"
        shortcut="G"
        disabled={!ready}
        active={grid.on}
        onClick={() => viewer.grid.toggle()}
        icon={<GridOnOutlined />}
      />
      <Tool
        label="查看部件"
        shortcut="I"
        disabled={!ready}
        active={inspect.active}
        onClick={() => viewer.inspect.toggle()}
        icon={<TouchAppOutlined />}
      />
      <Tool
        label="测量距离"
        shortcut="M"
        disabled={!ready}
        active={measure.active}
        onClick={() => viewer.measure.toggle()}
        icon={<StraightenOutlined />}
      />
      <Tool
        label="剖切"
        shortcut="X"
        disabled={!ready}
        active={section.on}
        onClick={() => viewer.section.toggle()}
        icon={<VerticalSplitOutlined />}
      />
      <Tool
        label={explode.parts > 1 ? "爆炸图" : "爆炸图（模型只有一个部件）"}
        shortcut="E"
        disabled={!ready || explode.parts < 2}
        active={explode.open}
        onClick={() => viewer.explode.toggle()}
        icon={<ZoomOutMapOutlined />}
      />
      <Divide />
      <Tool
        label="光照与背景"
        shortcut="L"
        active={lightOpen}
        onClick={actions.toggleLight}
        icon={<LightModeOutlined />}
      />
      <Tool
        label="保存截图"
        shortcut="P"
        disabled={!ready}
        onClick={actions.screenshot}
        icon={<PhotoCameraOutlined />}
      />
      <Tool
        label={fullscreen ? "退出全屏" : "全屏"}
        shortcut="F"
        onClick={actions.toggleFullscreen}
        icon={fullscreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      />
      <Tool
        label="快捷键"
        shortcut="?"
        active={helpOpen}
        onClick={actions.toggleHelp}
        icon={<KeyboardOutlined />}
      />
    </Box>
  );
}

function Divide() {
  return (
    <Box
      aria-hidden
      sx={{
        flex: "none",
        width: 24,
        height: 0,
        m: "4px auto",
        borderTop: 1,
        borderColor: "divider",
        "@container stage (max-width: 620px)": {
          width: 0,
          height: 24,
          m: "auto 4px",
          borderTop: 0,
          borderLeft: 1,
          borderColor: "divider",
        },
      }}
    />
  );
}

function Tool({
  label,
  shortcut,
  icon,
  active,
  disabled,
  onClick,
}: {
  label: string;
  shortcut: string;
  icon: ReactNode;
  active?: boolean;
  disabled?: boolean;
  onClick: () => void;
}) {
  // closed on click: the tooltip would cover the panel that the click opens
  const [tip, setTip] = useState(false);
  return (
    <Tooltip
      title={`${label}　${shortcut}`}
      placement="right"
      disableInteractive
      enterDelay={400}
      open={tip}
      onOpen={() => setTip(true)}
      onClose={() => setTip(false)}
    >
      <span style={{ flex: "none" }}>
        <IconButton
          aria-label={label}
          aria-keyshortcuts={shortcut}
          aria-pressed={active}
          disabled={disabled}
          onClick={() => {
            setTip(false);
            onClick();
          }}
          size="small"
          sx={{
            width: 40,
            height: 40,
            borderRadius: 1,
            color: active ? "primary.main" : "text.secondary",
            bgcolor: active ? "rgba(91,140,255,.16)" : "transparent",
            "& svg": { fontSize: 20 },
            "&:hover": {
              bgcolor: active ? "rgba(91,140,255,.24)" : "rgba(255,255,255,.06)",
              color: "text.primary",
            },
          }}
        >
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  );
}
