import { STUDIO } from "@/facts/studio";
import { exposed, type Light } from "./light";
import { type Cube, prefiltered } from "./prefilter";

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

const kept = new Map<StudioPreset, readonly Cube[]>();

/** The light in all its roughnesses, computed once. No image is loaded. +z is towards the camera of the initial view. */
export function lightOf(preset: StudioPreset): readonly Cube[] {
  let levels = kept.get(preset);
  if (!levels) {
    const radiance = exposed(lights[preset]);
    // three looks into cube maps with x turned round
    levels = prefiltered((x, y, z) => radiance(-x, y, z));
    kept.set(preset, levels);
  }
  return levels;
}

/** Keeps a light that was computed elsewhere. */
export function keepLight(preset: StudioPreset, levels: readonly Cube[]): void {
  kept.set(preset, levels);
}
