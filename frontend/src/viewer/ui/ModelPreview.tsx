import Box from "@mui/material/Box";
import { ThemeProvider } from "@mui/material/styles";
import { useEffect } from "react";
import { darkTheme } from "@/theme";
import { Store } from "../engine/store";
import type { ViewerState } from "../engine/Viewer";
import { StageOverlay } from "./StageOverlay";
import { makeViewer, useEngine, useStore } from "./useViewer";

const waiting = new Store<ViewerState>({
  phase: "loading",
  progress: undefined,
  loadedBytes: 0,
  totalBytes: 0,
  shown: false,
  fault: undefined,
  statistics: undefined,
  readyIn: undefined,
});

/** A model that can be rotated, without tools: for cards, dialogs and forms. Fills its parent. */
export function ModelPreview({ url, posterUrl, name }: { url: string; posterUrl?: string; name: string }) {
  const { holder, engine: viewer, fault, restart } = useEngine(makeViewer);
  const state = useStore(viewer?.state ?? waiting);
  useEffect(() => {
    void viewer?.load({ url });
  }, [viewer, url]);
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        role="img"
        aria-label={`三维预览：${name}`}
        sx={{
          position: "relative",
          width: "100%",
          height: "100%",
          overflow: "hidden",
          bgcolor: "background.default",
          color: "text.primary",
          colorScheme: "dark",
        }}
      >
        <Box ref={holder} sx={{ position: "absolute", inset: 0 }} />
        <StageOverlay
          {...state}
          fault={fault ?? state.fault}
          posterUrl={posterUrl}
          onRetry={() => (fault || state.fault === "lost" ? restart() : void viewer?.load({ url }))}
        />
      </Box>
    </ThemeProvider>
  );
}
