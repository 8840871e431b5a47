import { preload } from "react-dom";
import type { Cube } from "../engine/prefilter";
import { keepLight } from "../engine/presets";
import { loadViewer } from "./loadViewer";

declare global {
  interface Window {
    /** What the worker of the page's HTML has computed; undefined after a failure. See scripts/paintFirst.mjs. */
    earlyWork?: Promise<unknown>;
  }
}

let lightAsked = false;

const keep = (levels: readonly Cube[]) => keepLight("studio", levels);

/** Loads the engine and computes its light, where a stage will follow. */
export function viewerAhead(): void {
  // the stage reports a failure
  loadViewer().catch(() => undefined);
  if (lightAsked) return;
  lightAsked = true;
  // A stage that starts earlier, or after a failure, computes the light itself.
  if (window.earlyWork) {
    void window.earlyWork.then((levels) => levels && keep(levels as readonly Cube[]));
    return;
  }
  if (typeof Worker === "undefined") return;
  // the build looks for this name
  const light = new Worker(
    /* webpackChunkName: "light" */ new URL("../engine/light.worker.ts", import.meta.url),
  );
  light.onmessage = ({ data }: MessageEvent<readonly Cube[]>) => {
    keep(data);
    light.terminate();
  };
}

/** Begins the downloads that a stage shows first, while the engine starts. */
export function modelAhead({ proxyUrl, posterUrl }: { proxyUrl?: string; posterUrl?: string | null }): void {
  if (posterUrl) preload(posterUrl, { as: "image" });
  // like the loader's own request, which then takes the answer
  if (proxyUrl) preload(proxyUrl, { as: "fetch", crossOrigin: "anonymous" });
}
