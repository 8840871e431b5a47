import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { formatBytes } from "@/ui/bytes";
import CenterFocusStrong from "@/ui/icons/CenterFocusStrong";
import HexagonOutlined from "@/ui/icons/HexagonOutlined";
import type { Compare, CompareMode, CompareState, SideState } from "../engine/Compare";
import { viewerMessages } from "../engine/errors";
import { Store } from "../engine/store";
import { StageFrame } from "./StageFrame";
import { useCountTo } from "./useCountTo";
import { useEngine, useStore } from "./useViewer";

export interface CompareFigures {
  url: string;
  label: string;
  /** of the file that a user downloads, not of its preview */
  bytes: number;
  triangles: number;
}

const idleSide: SideState = {
  phase: "loading",
  progress: undefined,
  fault: undefined,
  statistics: undefined,
  bytes: 0,
};
const waiting = new Store<CompareState>({
  mode: "split",
  split: 0.5,
  wireframe: false,
  before: idleSide,
  after: idleSide,
});

const makeCompare = async (holder: HTMLElement): Promise<Compare> => {
  const engine = await import(/* webpackChunkName: "viewer-compare" */ "../engine/Compare");
  return new engine.Compare(holder);
};

/** Before and after under one camera; once both are loaded, an animated count shows the reduction in size. */
export function CompareView({
  before,
  after,
  error,
}: {
  before: CompareFigures;
  after: CompareFigures;
  /** simplification error relative to the model's diagonal; undefined when nothing was simplified */
  error?: number;
}) {
  const { holder, engine, fault, restart } = useEngine(makeCompare);
  const state = useStore(engine?.state ?? waiting);
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    void engine?.load({ before: before.url, after: after.url });
  }, [engine, before.url, after.url]);

  const bothReady = state.before.phase === "ready" && state.after.phase === "ready";
  const broken = fault ?? state.before.fault ?? state.after.fault;

  const onKeyDown = (event: KeyboardEvent) => {
    if (!engine || (event.target as HTMLElement).closest("[role=slider], button")) return;
    const step = Math.PI / 18;
    const moves = new Map<string, () => void>([
      ["ArrowLeft", () => engine.turn(-step, 0)],
      ["ArrowRight", () => engine.turn(step, 0)],
      ["ArrowUp", () => engine.turn(0, -step)],
      ["ArrowDown", () => engine.turn(0, step)],
      ["r", () => engine.reset()],
      ["w", () => engine.setWireframe(!state.wireframe)],
    ]);
    const move = moves.get(event.key);
    if (!move) return;
    move();
    event.preventDefault();
  };

  return (
    <StageFrame
      ref={frame}
      role="application"
      aria-label="轻量化前后对比"
      tabIndex={0}
      onKeyDown={onKeyDown}
      sx={{ minHeight: 360, containerName: "stage", containerType: "size" }}
    >
      <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
      <SideLabel side="left" figures={before} state={state.before} />
      <SideLabel side="right" figures={after} state={state.after} />
      {engine && state.mode === "split" && (
        <SplitHandle split={state.split} onSplit={(x) => engine.setSplit(x)} frame={frame} />
      )}
      {state.mode === "side" && (
        <Box
          sx={{ position: "absolute", left: "50%", top: 0, bottom: 0, width: "1px", bgcolor: "divider" }}
        />
      )}
      <Weights before={before} after={after} error={error} run={bothReady} />
      {engine && <Bar engine={engine} state={state} />}
      {broken && (
        <Box
          role="alert"
          sx={{
            position: "absolute",
            inset: 0,
            display: "grid",
            placeContent: "center",
            textAlign: "center",
            gap: 1,
            p: 3,
            bgcolor: "rgba(11,16,32,.86)",
          }}
        >
          <Box sx={{ fontSize: 16, fontWeight: 500 }}>{viewerMessages[broken].title}</Box>
          <Box sx={{ color: "text.secondary" }}>{viewerMessages[broken].hint}</Box>
          {broken !== "unsupported" && (
            <Box>
              <Box component="button" onClick={restart} sx={plainButton}>
                重新载入
              </Box>
            </Box>
          )}
        </Box>
      )}
    </StageFrame>
  );
}

function SideLabel({
  side,
  figures,
  state,
}: {
  side: "left" | "right";
  figures: CompareFigures;
  state: SideState;
}) {
  return (
    <Box
      sx={{
        position: "absolute",
        top: 12,
        [side]: 12,
        px: 1.5,
        py: 1,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.86)",
        border: 1,
        borderColor: "divider",
        textAlign: side,
        fontVariantNumeric: "tabular-nums",
      }}
    >
      <Box sx={{ fontSize: 12, color: side === "left" ? "text.secondary" : "secondary.main" }}>
        {figures.label}
      </Box>
      <Box sx={{ fontSize: 13 }}>{`${figures.triangles.toLocaleString("zh-CN")} 面`}</Box>
      {state.phase === "loading" && (
        <Box role="status" sx={{ fontSize: 12, color: "text.secondary" }}>
          {state.progress === undefined ? "正在载入" : `正在载入 ${Math.round(state.progress * 100)}%`}
        </Box>
      )}
    </Box>
  );
}

function Weights({
  before,
  after,
  error,
  run,
}: {
  before: CompareFigures;
  after: CompareFigures;
  error?: number;
  run: boolean;
}) {
  const bytes = useCountTo(before.bytes, after.bytes, run);
  const triangles = useCountTo(before.triangles, after.triangles, run);
  const saved = before.bytes > 0 ? 1 - after.bytes / before.bytes : 0;
  return (
    <Box
      sx={{
        position: "absolute",
        left: "50%",
        top: 12,
        transform: "translateX(-50%)",
        px: 3,
        py: 1,
        textAlign: "center",
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.9)",
        border: 1,
        borderColor: "divider",
        fontVariantNumeric: "tabular-nums",
        whiteSpace: "nowrap",
        pointerEvents: "none",
        "@container stage (max-width: 620px)": { top: "auto", bottom: 68, px: 2, py: 0.5 },
      }}
    >
      {/* the moving figure is decoration; readers hear the final one below */}
      <Box
        aria-hidden
        sx={{
          fontSize: 32,
          lineHeight: "38px",
          fontWeight: 600,
          "@container stage (max-width: 620px)": { fontSize: 20, lineHeight: "26px" },
        }}
      >
        {formatBytes(Math.round(bytes))}
      </Box>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>
        {`原 ${formatBytes(before.bytes)}`}
        <Box component="span" sx={{ color: saved > 0 ? "secondary.main" : "warning.main", ml: 1 }}>
          {saved >= 0 ? `减少 ${(saved * 100).toFixed(1)}%` : `增加 ${(-saved * 100).toFixed(1)}%`}
        </Box>
      </Box>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>
        {`${Math.round(triangles).toLocaleString("zh-CN")} 面`}
        {before.triangles > 0 && `（${((after.triangles / before.triangles) * 100).toFixed(1)}%）`}
        {error !== undefined && `　误差 ${formatError(error)}`}
      </Box>
    </Box>
  );
}

/** Share of the model's diagonal: 0.00034 → "0.034%". */
export function formatError(error: number): string {
  const percent = error * 100;
  if (percent === 0) return "0%";
  return `${percent < 0.001 ? percent.toExponential(1) : Number(percent.toPrecision(2))}%`;
}

function SplitHandle({
  split,
  onSplit,
  frame,
}: {
  split: number;
  onSplit: (split: number) => void;
  frame: React.RefObject<HTMLDivElement | null>;
}) {
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = frame.current?.getBoundingClientRect();
    if (box) onSplit((event.clientX - box.left) / box.width);
  };
  return (
    <Box
      role="slider"
      tabIndex={0}
      aria-label="对比分界"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(split * 100)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={(event) => {
        const step = event.key === "ArrowLeft" ? -0.02 : event.key === "ArrowRight" ? 0.02 : 0;
        if (step === 0) return;
        event.preventDefault();
        onSplit(split + step);
      }}
      sx={{
        position: "absolute",
        top: 0,
        bottom: 0,
        left: `${split * 100}%`,
        width: 32,
        ml: "-16px",
        cursor: "ew-resize",
        touchAction: "none",
        "&::before": {
          content: '""',
          position: "absolute",
          left: "15px",
          top: 0,
          bottom: 0,
          width: "2px",
          bgcolor: "rgba(232,236,246,.75)",
        },
        "&::after": {
          content: '"‹ ›"',
          position: "absolute",
          left: 0,
          top: "50%",
          width: 32,
          height: 32,
          mt: "-16px",
          borderRadius: "50%",
          bgcolor: "#E8ECF6",
          color: "#0B1020",
          display: "grid",
          placeItems: "center",
          fontSize: 14,
          fontWeight: 600,
          lineHeight: "32px",
          letterSpacing: "1px",
        },
      }}
    />
  );
}

function Bar({ engine, state }: { engine: Compare; state: CompareState }) {
  return (
    <Box
      role="toolbar"
      aria-label="对比工具"
      sx={{
        position: "absolute",
        left: "50%",
        bottom: 12,
        transform: "translateX(-50%)",
        display: "flex",
        alignItems: "center",
        gap: 1,
        p: 0.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.9)",
        border: 1,
        borderColor: "divider",
      }}
    >
      <ToggleButtonGroup
        color="primary"
        exclusive
        size="small"
        aria-label="对比方式"
        value={state.mode}
        onChange={(_, mode: CompareMode | null) => mode && engine.setMode(mode)}
      >
        <ToggleButton value="split" sx={{ whiteSpace: "nowrap", py: 0.5 }}>
          滑动对比
        </ToggleButton>
        <ToggleButton value="side" sx={{ whiteSpace: "nowrap", py: 0.5 }}>
          并排对比
        </ToggleButton>
      </ToggleButtonGroup>
      <Tooltip title="线框　W">
        <IconButton
          size="small"
          aria-label="线框"
          aria-pressed={state.wireframe}
          color={state.wireframe ? "primary" : "default"}
          onClick={() => engine.setWireframe(!state.wireframe)}
        >
          <HexagonOutlined fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title="复位视角　R">
        <IconButton size="small" aria-label="复位视角" onClick={() => engine.reset()}>
          <CenterFocusStrong fontSize="small" />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

const plainButton = {
  mt: 1,
  px: 2,
  py: 0.5,
  borderRadius: 1,
  border: 1,
  borderColor: "primary.main",
  bgcolor: "transparent",
  color: "primary.main",
  font: "inherit",
  cursor: "pointer",
} as const;
