import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useMemo, useState } from "react";
import { formatBytes } from "@/ui/bytes";
import Close from "@/ui/icons/Close";
import { toast } from "@/ui/toast";
import { formatLength } from "../engine/format";
import type { ViewerState } from "../engine/state";
import { PlaceContext, type PlaceFinder } from "./places";
import { StageFrame } from "./StageFrame";
import { Poster, StageOverlay } from "./StageOverlay";
import { handleKey, shortcutList } from "./shortcuts";
import { KeysHint, stageFocus } from "./stageKeys";
import { Timeline } from "./Timeline";
import { Facts, ToolPanels } from "./ToolPanel";
import { type RailActions, ToolRail } from "./ToolRail";
import { useFullscreen } from "./useFullscreen";
import { useViewer } from "./useViewer";

export interface FactPanel {
  id: string;
  label: string;
  node: ReactNode;
}

/** The full viewer: stage, tools, facts. Fills its parent, which must have a height. */
export function ModelView({
  url,
  proxyUrl,
  posterUrl,
  name,
  panels = [],
  counted = false,
  factsOpen: factsAtStart,
}: {
  url: string;
  proxyUrl?: string;
  posterUrl?: string;
  name: string;
  /** further tabs beside the model's own figures */
  panels?: readonly FactPanel[];
  /** one of the panels shows the source's counts: the drawn ones, which differ, are left out */
  counted?: boolean;
  factsOpen?: boolean;
}) {
  const { holder, engine: viewer, state, fault, retry } = useViewer({ url, proxyUrl, posterUrl });
  // After the first picture, which the same thread computes.
  const deferred = useDeferredValue(viewer);
  const tools = deferred === viewer ? viewer : undefined;
  const [factsOpen, setFactsOpen] = useState(() => factsAtStart ?? window.innerWidth >= 900);
  const [lightOpen, setLightOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);

  const hint = useId();

  const ready = state.phase === "ready";
  const places = useMemo<PlaceFinder | undefined>(
    () =>
      viewer && ready
        ? {
            knows: (place) => viewer.knows(place),
            goTo: (place) => {
              // on a narrow stage the panel covers the model
              if (window.innerWidth < 900) setFactsOpen(false);
              viewer.goTo(place);
            },
          }
        : undefined,
    [viewer, ready],
  );

  const { fullscreen, toggleFullscreen } = useFullscreen(holder);
  const actions = useMemo<RailActions>(
    () => ({
      toggleFacts: () => setFactsOpen((open) => !open),
      toggleHelp: () => setHelpOpen((open) => !open),
      toggleLight: () => setLightOpen((open) => !open),
      toggleFullscreen,
      screenshot: () => {
        viewer
          ?.screenshot(`${name || "模型"}-${stamp(new Date())}.png`)
          .then(() => toast.success("截图已保存"))
          .catch(() => toast.error("截图没有保存成功，请重试"));
      },
    }),
    [viewer, name, toggleFullscreen],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (!viewer || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // sliders, lists and buttons handle their own keys
    if (target.closest("input, [role=slider], [role=listbox], [role=combobox], [role=tab]")) return;
    if (event.key === " " && target.closest("button")) return;
    // arrows in a panel that scrolls belong to the panel
    if (event.key.startsWith("Arrow") && target.closest("[data-facts], [role=dialog]")) return;
    if (handleKey(event, viewer, actions)) event.preventDefault();
  };

  return (
    <StageFrame
      data-stage
      data-shown={ready ? "full" : state.coarse ? "coarse" : undefined}
      role="application"
      aria-label={`三维查看：${name}`}
      aria-describedby={hint}
      tabIndex={0}
      onKeyDown={onKeyDown}
      sx={{ minHeight: 320, display: "flex", containerName: "stage", containerType: "size", ...stageFocus }}
    >
      <KeysHint id={hint}>方向键旋转　Shift + 方向键平移　+ − 缩放　? 全部快捷键</KeysHint>
      <Box sx={{ position: "relative", flex: 1, minWidth: 0 }}>
        <Poster url={posterUrl} />
        <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
        <StageOverlay {...state} fault={fault} onRetry={retry} />
        {tools && (
          <>
            <ToolRail
              viewer={tools}
              actions={actions}
              factsOpen={factsOpen}
              lightOpen={lightOpen}
              helpOpen={helpOpen}
              fullscreen={fullscreen}
            />
            <ToolPanels viewer={tools} lightOpen={lightOpen} />
            <Timeline viewer={tools} />
          </>
        )}
        {helpOpen && <HelpCard onClose={() => setHelpOpen(false)} />}
      </Box>
      {factsOpen && (
        <PlaceContext.Provider value={places}>
          <FactsPanel state={state} panels={panels} counted={counted} onClose={() => setFactsOpen(false)} />
        </PlaceContext.Provider>
      )}
    </StageFrame>
  );
}

function FactsPanel({
  state,
  panels,
  counted,
  onClose,
}: {
  state: ViewerState;
  panels: readonly FactPanel[];
  counted: boolean;
  onClose: () => void;
}) {
  const [tab, setTab] = useState(panels[0]?.id ?? "facts");
  // after the stage, like its tools
  const filled = useDeferredValue(true, false);
  const all: FactPanel[] = [
    ...panels,
    { id: "facts", label: "画面数据", node: <Figures state={state} counted={counted} /> },
  ];
  const shown = all.find((panel) => panel.id === tab) ?? all[0];
  return (
    <Box
      component="section"
      aria-label="模型信息"
      data-facts
      sx={{
        flex: "none",
        width: 320,
        display: "flex",
        flexDirection: "column",
        bgcolor: "background.paper",
        borderLeft: 1,
        borderColor: "divider",
        "@container stage (max-width: 760px)": {
          position: "absolute",
          zIndex: 4,
          inset: "auto 0 0 0",
          width: "auto",
          height: "62%",
          borderLeft: 0,
          borderTop: 1,
          borderColor: "divider",
          borderRadius: "8px 8px 0 0",
        },
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", borderBottom: 1, borderColor: "divider", pr: 1 }}>
        <Tabs
          value={shown?.id}
          onChange={(_, value: string) => setTab(value)}
          variant="scrollable"
          scrollButtons={false}
          sx={{ flex: 1, minHeight: 44 }}
        >
          {all.map((panel) => (
            <Tab
              key={panel.id}
              value={panel.id}
              label={panel.label}
              sx={{ minHeight: 44, minWidth: 0, px: 1.5 }}
            />
          ))}
        </Tabs>
        <IconButton size="small" aria-label="收起模型信息" onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, overflow: "auto", p: 2 }}>{filled && shown?.node}</Box>
    </Box>
  );
}

/** Figures of the data received and drawn by this browser. The source's own counts are in its report, if there is one. */
function Figures({ state, counted }: { state: ViewerState; counted: boolean }) {
  const { statistics: s } = state;
  if (!s) return <Box sx={{ fontSize: 12, color: "text.secondary" }}>模型载入后显示</Box>;
  const count = (n: number) => n.toLocaleString("zh-CN");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} 秒`;
  const rows: (readonly [string, string])[] = [];
  if (!counted) {
    rows.push(
      ["三角面", count(s.triangles)],
      ["顶点", count(s.vertices)],
      ["网格", count(s.meshes)],
      ["节点", count(s.nodes)],
      ["材质", count(s.materials)],
      ["贴图", count(s.textures)],
      ["尺寸", s.size.map(formatLength).join(" × ")],
    );
    if (s.lines > 0) rows.push(["线段", count(s.lines)]);
    if (s.points > 0) rows.push(["点", count(s.points)]);
    rows.push(["骨骼动画", s.skinned ? "有" : "无"]);
  }
  if (state.turnableIn !== undefined) rows.push(["可转动", seconds(state.turnableIn)]);
  if (state.readyIn !== undefined) rows.push(["完整", seconds(state.readyIn)]);
  if (state.loadedBytes > 0) rows.push(["下载量", formatBytes(state.loadedBytes)]);
  rows.push(["几何显存", formatBytes(s.geometryBytes)], ["贴图显存", formatBytes(s.textureBytes)]);
  return (
    <>
      <Facts rows={rows} />
      <Box sx={{ mt: 1.5, fontSize: 12, color: "text.secondary" }}>时间从打开页面算起</Box>
    </>
  );
}

function HelpCard({ onClose }: { onClose: () => void }) {
  return (
    <Box
      role="dialog"
      aria-label="快捷键"
      sx={{
        position: "absolute",
        zIndex: 5,
        right: 12,
        top: 12,
        width: 340,
        maxWidth: "calc(100% - 24px)",
        maxHeight: "calc(100% - 24px)",
        overflow: "auto",
        p: 2,
        borderRadius: 2,
        bgcolor: "background.paper",
        border: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center", mb: 1 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          操作与快捷键
        </Box>
        <IconButton size="small" aria-label="关闭" onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      </Box>
      <Facts rows={shortcutList.map(([keys, what]) => [what, keys] as const)} />
    </Box>
  );
}

function stamp(now: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
