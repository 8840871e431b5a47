import { CanvasTexture, type CompressedCubeTexture, SRGBColorSpace } from "three";
import { STUDIO } from "@/facts/studio";
import { exposed, type Light } from "./light";
import { environmentOf } from "./prefilter";

export type StudioPreset = "studio" | "soft" | "day" | "sunset" | "contrast";

/** `studio` is the light of the models' pictures; the others light surfaces differently, at the same exposure. */
const lights: Record<StudioPreset, Light> = {
  studio: STUDIO,
  soft: {
    room: {
      ...STUDIO.room,
      wall: 0.95,
      front_darker: 0.1,
      floor: [0.9, 0.9, 0.9],
      floor_below: [0.8, 0.8, 0.8],
    },
    lamps: [
      {
        name: "overhead",
        yaw: 0,
        elevation: 86,
        size: [1.6, 1.6],
        edge: 1.2,
        radiance: [1.6, 1.6, 1.6],
      },
    ],
  },
  day: {
    room: {
      ...STUDIO.room,
      wall: 0.9,
      front_darker: 0.15,
      sky: [0.62, 0.8, 1.12],
      floor: [0.5, 0.48, 0.43],
      floor_below: [0.36, 0.34, 0.3],
    },
    lamps: [{ name: "sun", yaw: -38, elevation: 46, size: [0.12, 0.12], edge: 0.05, radiance: [58, 54, 47] }],
  },
  sunset: {
    room: {
      ...STUDIO.room,
      wall: 0.7,
      front_darker: 0.2,
      sky: [0.62, 0.52, 0.62],
      floor: [0.34, 0.26, 0.22],
      floor_below: [0.24, 0.18, 0.16],
    },
    lamps: [{ name: "sun", yaw: -62, elevation: 10, size: [0.2, 0.2], edge: 0.08, radiance: [46, 26, 11] }],
  },
  contrast: {
    room: {
      ...STUDIO.room,
      wall: 0.07,
      front_darker: 0.04,
      sky: [0.06, 0.07, 0.09],
      floor: [0.05, 0.05, 0.06],
      floor_below: [0.03, 0.03, 0.04],
    },
    lamps: [
      { name: "key", yaw: -72, elevation: 22, size: [0.35, 0.9], edge: 0.2, radiance: [9, 8.8, 8.5] },
      { name: "rim", yaw: 128, elevation: 18, size: [0.25, 0.9], edge: 0.15, radiance: [5, 6, 8] },
    ],
  },
};

/** Image-based lighting, computed: no image is loaded. +z is towards the camera of the initial view. */
export const studioLight = (preset: StudioPreset): CompressedCubeTexture =>
  environmentOf(exposed(lights[preset]));

export type Backdrop = "dark" | "light" | "plain";

/** A custom background colour, optionally different in the middle. */
export interface Ground {
  color: string;
  to?: string;
}

/** The background behind the model: a soft radial gradient, painted once. */
export function backdropTexture(kind: Backdrop | Ground): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 512;
  canvas.height = 512;
  // Drawn by the processor: reading pixels back from the graphics card would wait for all that it has to do.
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (paint) {
    const [inner, middle, outer] =
      typeof kind === "object"
        ? [kind.color, kind.color, kind.to ?? kind.color]
        : kind === "light"
          ? ["#FFFFFF", "#EEF1F6", "#D5DBE6"]
          : kind === "plain"
            ? ["#05070D", "#05070D", "#05070D"]
            : ["#222C46", "#141B2E", "#0B1020"];
    const glow = paint.createRadialGradient(256, 215, 20, 256, 256, 380);
    glow.addColorStop(0, inner);
    glow.addColorStop(0.55, middle);
    glow.addColorStop(1, outer);
    paint.fillStyle = glow;
    paint.fillRect(0, 0, 512, 512);
    // some noise against banding of the gradient on 8-bit displays
    const pixels = paint.getImageData(0, 0, 512, 512);
    for (let i = 0; i < pixels.data.length; i += 4) {
      const noise = (Math.random() - 0.5) * 3;
      for (let c = 0; c < 3; c += 1) pixels.data[i + c] = (pixels.data[i + c] ?? 0) + noise;
    }
    paint.putImageData(pixels, 0, 0);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
