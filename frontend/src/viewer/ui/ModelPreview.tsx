import Box from "@mui/material/Box";
import { useEffect } from "react";
import { StageFrame } from "./StageFrame";
import { StageOverlay } from "./StageOverlay";
import { makeViewer, useEngine, useStore, waiting } from "./useViewer";

/** A model that can be rotated, without tools: for cards, dialogs and forms. Fills its parent. */
export function ModelPreview({ url, posterUrl, name }: { url: string; posterUrl?: string; name: string }) {
  const { holder, engine: viewer, fault, restart } = useEngine(makeViewer);
  const state = useStore(viewer?.state ?? waiting);
  useEffect(() => {
    void viewer?.load({ url });
  }, [viewer, url]);
  return (
    <StageFrame role="img" aria-label={`三维预览：${name}`}>
      <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
      <StageOverlay
        {...state}
        fault={fault ?? state.fault}
        posterUrl={posterUrl}
        onRetry={() => (fault || state.fault === "lost" ? restart() : void viewer?.load({ url }))}
      />
    </StageFrame>
  );
}
