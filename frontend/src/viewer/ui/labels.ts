import type { Backdrop } from "../engine/backdrop";
import type { StudioPreset } from "../engine/presets";

/** Names of the light and backdrop choices; separate from the engine, so that importing them does not load three.js. */
export const studioLabels: Record<StudioPreset, string> = {
  studio: "影棚",
  soft: "柔光",
  day: "日光",
  sunset: "黄昏",
  contrast: "侧光",
};

export const backdropLabels: Record<Backdrop, string> = { dark: "深色", light: "浅色", plain: "纯黑" };
