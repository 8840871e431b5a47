import Box from "@mui/material/Box";
import { useEffect, useId, useRef } from "react";
import { PreviewTools } from "./PreviewTools";
import { StageFrame } from "./StageFrame";
import { Poster, StageOverlay } from "./StageOverlay";
import { KeysHint, moveCamera, stageFocus } from "./stageKeys";
import { useViewer } from "./useViewer";

/** A model that can be rotated, for cards, dialogs and forms. Fills its parent. */
export function ModelPreview({
  url,
  proxyUrl,
  posterUrl,
  name,
  filling = false,
  live = false,
}: {
  url: string;
  proxyUrl?: string;
  posterUrl?: string;
  name: string;
  /** a wide model uses the width of the stage; not with a poster, which is square */
  filling?: boolean;
  /** opened by the user: takes the focus, plays the model's first clip and has a few tools */
  live?: boolean;
}) {
  const {
    holder,
    engine: viewer,
    state,
    fault,
    retry,
  } = useViewer({ url, proxyUrl, posterUrl }, (fresh) => {
    if (filling) fresh.stage.fit = "whole";
    if (live) fresh.playFirst();
  });
  const frame = useRef<HTMLDivElement>(null);
  // The button that opened it is gone, and the focus with it.
  useEffect(() => {
    if (live) frame.current?.focus({ preventScroll: true });
  }, [live]);
  const hint = useId();
  return (
    <StageFrame
      ref={frame}
      data-stage
      role="application"
      aria-label={`三维预览：${name}`}
      aria-describedby={hint}
      tabIndex={0}
      onKeyDown={(event) => {
        if (viewer && event.target === event.currentTarget) moveCamera(event, viewer.stage);
      }}
      sx={stageFocus}
    >
      <Poster url={posterUrl} />
      <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
      <StageOverlay {...state} fault={fault} onRetry={retry} />
      {live && viewer && state.shown && <PreviewTools viewer={viewer} holder={holder} />}
      <KeysHint id={hint} />
    </StageFrame>
  );
}
