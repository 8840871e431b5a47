import Box from "@mui/material/Box";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from "react";
import type { Pin, Spot, Staging } from "../engine/staging";
import type { Viewer } from "../engine/Viewer";
import { Pins } from "./Pins";
import { StageFrame } from "./StageFrame";
import { Poster, StageOverlay } from "./StageOverlay";
import { KeysHint, moveCamera, stageFocus } from "./stageKeys";
import { Timeline } from "./Timeline";
import { useViewer } from "./useViewer";

/** Pixels a pointer may move and still count as a click. */
const CLICK_SLACK = 4;

/** The parts of the stage that a page may use. */
export type StageHandle = Pick<Viewer, "picture" | "goToView"> & {
  view: () => Viewer["stage"]["view"];
  clips: () => readonly string[];
};

/** A model with its maker's staging and labels. Fills its parent. */
export function StagedModel({
  url,
  proxyUrl,
  posterUrl,
  name,
  staging,
  pins = [],
  chosen,
  onChoose,
  onSpot,
  onReady,
}: {
  url: string;
  proxyUrl?: string;
  posterUrl?: string;
  name: string;
  staging?: Staging;
  pins?: readonly Pin[];
  chosen?: string;
  onChoose?: (id: string) => void;
  /** Set while a place of the model is being chosen: called with the next click on it. */
  onSpot?: (spot: Spot, view: Viewer["stage"]["view"]) => void;
  /** The model is loaded. */
  onReady?: (stage: StageHandle) => void;
}) {
  const applied = useRef<{ viewer: Viewer; staging: Staging }>(undefined);
  const apply = (to: Viewer) => {
    if (!staging || (applied.current?.viewer === to && applied.current.staging === staging)) return;
    applied.current = { viewer: to, staging };
    to.setUp(staging);
  };
  const { holder, engine: viewer, state, fault, retry } = useViewer({ url, proxyUrl, posterUrl }, apply);
  const hint = useId();
  const down = useRef<{ x: number; y: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `apply` compares both
  useEffect(() => {
    if (viewer) apply(viewer);
  }, [viewer, staging]);
  const ready = state.phase === "ready";
  const onReadyRef = useRef(onReady);
  onReadyRef.current = onReady;
  useEffect(() => {
    if (!viewer || !ready) return;
    onReadyRef.current?.({
      picture: (longSide) => viewer.picture(longSide),
      goToView: (view) => viewer.goToView(view),
      view: () => viewer.stage.view,
      clips: () => viewer.animation.state.get().clips.map((clip) => clip.name),
    });
  }, [viewer, ready]);
  const up = (event: PointerEvent) => {
    const from = down.current;
    down.current = undefined;
    if (!from || !viewer || !onSpot) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK_SLACK) return;
    const spot = viewer.spotAt(event);
    if (spot) onSpot(spot, viewer.stage.view);
  };
  return (
    <StageFrame
      role="application"
      aria-label={`三维预览：${name}`}
      aria-describedby={hint}
      tabIndex={0}
      data-shown={ready ? "full" : state.coarse ? "coarse" : undefined}
      onKeyDown={(event: KeyboardEvent) => {
        if (!viewer || event.target !== event.currentTarget) return;
        if (event.key === "Enter" && onSpot) {
          // by keyboard: the middle of the stage
          const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
          const spot = viewer.spotAt({ clientX: left + width / 2, clientY: top + height / 2 });
          if (spot) onSpot(spot, viewer.stage.view);
          return;
        }
        moveCamera(event, viewer.stage);
      }}
      sx={{ containerName: "stage", containerType: "size", ...stageFocus }}
    >
      <Poster url={posterUrl} ground={staging?.ground} />
      <Box
        ref={holder}
        onPointerDown={(event) => {
          down.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerUp={up}
        sx={{ position: "absolute", inset: 0, cursor: onSpot ? "crosshair" : undefined }}
      />
      <StageOverlay {...state} fault={fault} onRetry={retry} />
      {viewer && state.shown && <Pins viewer={viewer} pins={pins} chosen={chosen} onChoose={onChoose} />}
      {viewer && <Timeline viewer={viewer} />}
      <KeysHint id={hint} />
    </StageFrame>
  );
}
