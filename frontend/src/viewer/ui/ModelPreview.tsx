import Box from "@mui/material/Box";
import { useId } from "react";
import { StageFrame } from "./StageFrame";
import { Poster, StageOverlay } from "./StageOverlay";
import { KeysHint, moveCamera, stageFocus } from "./stageKeys";
import { useViewer } from "./useViewer";

/** A model that can be rotated, without tools: for cards, dialogs and forms. Fills its parent. */
export function ModelPreview({
  url,
  proxyUrl,
  posterUrl,
  name,
  filling = false,
}: {
  url: string;
  proxyUrl?: string;
  posterUrl?: string;
  name: string;
  /** a wide model uses the width of the stage; not with a poster, which is square */
  filling?: boolean;
}) {
  const {
    holder,
    engine: viewer,
    state,
    fault,
    retry,
  } = useViewer({ url, proxyUrl, posterUrl }, ({ stage }) => {
    if (filling) stage.fit = "whole";
  });
  const hint = useId();
  return (
    <StageFrame
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
      <KeysHint id={hint} />
    </StageFrame>
  );
}
