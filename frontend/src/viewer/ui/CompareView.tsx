import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from "react";
import CenterFocusStrong from "@/ui/icons/CenterFocusStrong";
import HexagonOutlined from "@/ui/icons/HexagonOutlined";
import LensOutlined from "@/ui/icons/LensOutlined";
import type { Compare, CompareMode, CompareState, SideState } from "../engine/Compare";
import { viewerMessages } from "../engine/errors";
import { LENS_RADIUS } from "../engine/sizes";
import { Store } from "../engine/store";
import { CompareLens } from "./CompareLens";
import { CompareStrip } from "./CompareStrip";
import { StageFrame } from "./StageFrame";
import { KeysHint, moveCamera, stageFocus } from "./stageKeys";
import { type Lens, useLens } from "./useLens";
import { useEngine, useStore } from "./useViewer";

export interface CompareFigures {
  url: string;
  label: string;
  /** of the downloadable file, not of its preview */
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
  lens: undefined,
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
  const hint = useId();
  const lens = useLens(engine);

  useEffect(() => {
    void engine?.load({ before: before.url, after: after.url });
  }, [engine, before.url, after.url]);

  const bothReady = state.before.phase === "ready" && state.after.phase === "ready";
  const broken = fault ?? state.before.fault ?? state.after.fault;

  const onKeyDown = (event: KeyboardEvent) => {
    if (!engine || (event.target as HTMLElement).closest("[role=slider], button")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (lens.onKey(event) || moveCamera(event, engine.stage)) return;
    if (key !== "w") return;
    engine.setWireframe(!state.wireframe);
    event.preventDefault();
  };

  return (
    <StageFrame
      role="application"
      aria-label="轻量化前后对比"
      aria-describedby={hint}
      tabIndex={0}
      onKeyDown={onKeyDown}
      sx={{
        minHeight: 360,
        display: "flex",
        flexDirection: "column",
        containerName: "stage",
        containerType: "size",
        ...stageFocus,
      }}
    >
      <KeysHint id={hint} top={96}>
        {lens.held
          ? "方向键移动放大镜　Shift + 方向键旋转　Z 收起放大镜"
          : "方向键旋转　Shift + 方向键平移　+ − 缩放　Z 放大镜　W 线框　R 复位"}
      </KeysHint>
      <CompareStrip
        before={before}
        after={after}
        error={error}
        states={{ before: state.before, after: state.after }}
        run={bothReady}
      />
      <Box
        ref={frame}
        onPointerMove={bothReady ? lens.onPointer : undefined}
        onPointerDown={lens.onPointer}
        onPointerLeave={lens.onLeave}
        sx={{ position: "relative", flex: 1, minHeight: 0, overflow: "hidden" }}
      >
        <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
        {engine && state.mode === "split" && (
          <SplitHandle split={state.split} onSplit={(x) => engine.setSplit(x)} frame={frame} />
        )}
        {state.mode === "side" && (
          <Box
            sx={{ position: "absolute", left: "50%", top: 0, bottom: 0, width: "1px", bgcolor: "divider" }}
          />
        )}
        {engine && state.lens && (
          <CompareLens engine={engine} place={state.lens} radius={LENS_RADIUS} held={lens.held} />
        )}
        {engine && <Bar engine={engine} state={state} lens={lens} />}
      </Box>
      {broken && (
        <Box
          role="alert"
          sx={{
            position: "absolute",
            zIndex: 4,
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
              <Button variant="outlined" size="small" onClick={restart} sx={{ mt: 1 }}>
                重新载入
              </Button>
            </Box>
          )}
        </Box>
      )}
    </StageFrame>
  );
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
        "&:focus-visible": { outline: "none" },
        "&:focus-visible::after": {
          outline: "2px solid",
          outlineColor: "primary.main",
          outlineOffset: "2px",
        },
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

function Bar({ engine, state, lens }: { engine: Compare; state: CompareState; lens: Lens }) {
  return (
    <Box
      role="toolbar"
      aria-label="对比工具"
      sx={{
        position: "absolute",
        zIndex: 3,
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
      <Tooltip title="放大镜　Z">
        <IconButton
          size="small"
          aria-label="放大镜"
          aria-keyshortcuts="Z"
          aria-pressed={lens.on}
          color={lens.on ? "primary" : "default"}
          onClick={lens.toggle}
        >
          <LensOutlined fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title="线框　W">
        <IconButton
          size="small"
          aria-label="线框"
          aria-keyshortcuts="W"
          aria-pressed={state.wireframe}
          color={state.wireframe ? "primary" : "default"}
          onClick={() => engine.setWireframe(!state.wireframe)}
        >
          <HexagonOutlined fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title="复位视角　R">
        <IconButton
          size="small"
          aria-label="复位视角"
          aria-keyshortcuts="R"
          onClick={() => engine.stage.reset()}
        >
          <CenterFocusStrong fontSize="small" />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
