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
import {
  BACKDROP_CIRCLES,
  BACKDROP_MIDDLE,
  BACKDROP_SIDE,
  type Backdrop,
  backdropColors,
  type Ground,
} from "./backdrop";
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

/** The background behind the model: a soft radial gradient, painted once. */
export function backdropTexture(kind: Backdrop | Ground): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = BACKDROP_SIDE;
  canvas.height = BACKDROP_SIDE;
  // Drawn by the processor: reading pixels back from the graphics card would wait for all that it has to do.
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (paint) {
    const [inner, middle, outer] = backdropColors(kind);
    const { from, to } = BACKDROP_CIRCLES;
    const centre = BACKDROP_SIDE / 2;
    const glow = paint.createRadialGradient(centre, ...from, centre, ...to);
    glow.addColorStop(0, inner);
    glow.addColorStop(BACKDROP_MIDDLE, middle);
    glow.addColorStop(1, outer);
    paint.fillStyle = glow;
    paint.fillRect(0, 0, BACKDROP_SIDE, BACKDROP_SIDE);
    // some noise against banding of the gradient on 8-bit displays
    const pixels = paint.getImageData(0, 0, BACKDROP_SIDE, BACKDROP_SIDE);
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
