import {
  CanvasTexture,
  CompressedCubeTexture,
  type CompressedPixelFormat,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
  SRGBColorSpace,
} from "three";
import type { Cube } from "./prefilter";

/** The light as a texture that materials use as it is. */
export function environmentOf(levels: readonly Cube[]): CompressedCubeTexture {
  const first = levels[0]?.side ?? 0;
  const one = DataUtils.toHalfFloat(1);
  const faces = Array.from({ length: 6 }, (_, face) => ({
    width: first,
    height: first,
    mipmaps: levels.map(({ side, values }) => {
      const data = new Uint16Array(side * side * 4);
      for (let at = 0; at < side * side; at += 1) {
        const from = (face * side * side + at) * 3;
        data[at * 4] = DataUtils.toHalfFloat(values[from] as number);
        data[at * 4 + 1] = DataUtils.toHalfFloat(values[from + 1] as number);
        data[at * 4 + 2] = DataUtils.toHalfFloat(values[from + 2] as number);
        data[at * 4 + 3] = one;
      }
      return { width: side, height: side, data };
    }),
  }));
  // With this format the levels are uploaded as they are, though the texture's name says otherwise.
  const format = RGBAFormat as unknown as CompressedPixelFormat;
  const texture = new CompressedCubeTexture(faces as never, format, HalfFloatType);
  texture.mipmaps = [];
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.isPMREMTexture = true;
  texture.needsUpdate = true;
  return texture;
}

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
  texture.generateMipmaps = false;
  texture.minFilter = LinearFilter;
  return texture;
}
