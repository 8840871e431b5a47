import { preload } from "react-dom";
import type { Cube } from "../engine/prefilter";
import { keepLight } from "../engine/presets";
import { loadViewer } from "./loadViewer";

let light: Worker | undefined;

/** Loads the engine and computes its light, where a stage will follow. */
export function viewerAhead(): void {
  // the stage reports a failure
  loadViewer().catch(() => undefined);
  if (light || typeof Worker === "undefined") return;
  light = new Worker(new URL("../engine/light.worker.ts", import.meta.url));
  // A stage that starts earlier, or after a failure, computes the light itself.
  light.onmessage = ({ data }: MessageEvent<readonly Cube[]>) => {
    keepLight("studio", data);
    light?.terminate();
  };
}

/** Begins the downloads that a stage shows first, while the engine starts. */
export function modelAhead({ proxyUrl, posterUrl }: { proxyUrl?: string; posterUrl?: string | null }): void {
  if (posterUrl) preload(posterUrl, { as: "image" });
  // like the loader's own request, which then takes the answer
  if (proxyUrl) preload(proxyUrl, { as: "fetch", crossOrigin: "anonymous" });
}
