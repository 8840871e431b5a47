/**
 * Light from all directions, blurred for each roughness of a surface: what three's PMREMGenerator computes on the graphics
 * card. Without one that takes three seconds, as it samples 37 million times for at least 256 pixels a side; this studio is
 * soft enough for 64, which the processor has in some 50 ms.
 *
 * Source of the weights: the GGX lobe seen along the normal, B. Karis, "Real Shading in Unreal Engine 4" (2013).
 */
import {
  CompressedCubeTexture,
  type CompressedPixelFormat,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  RGBAFormat,
} from "three";

export type Radiance = (x: number, y: number, z: number) => readonly [number, number, number];

/** Six faces one after the other, three numbers a pixel. */
interface Cube {
  side: number;
  values: Float32Array;
}

/** Pixels along a side: first for mirrors, last for the roughest surfaces. */
const SIDES = [64, 32, 16, 8] as const;
/** Pixels along a side of the light from which the rough levels are summed. */
const COARSE = 16;
/** Samples of the narrow lobe of a glossy surface. */
const SAMPLES = 64;
/** From this roughness on every pixel of the coarse light is weighed. */
const ROUGH = 0.3;

type Direction = [number, number, number];

/** The direction of a pixel, of length one; faces and their orientation are OpenGL's. */
function directionOf(side: number, pixel: number): Direction {
  const face = Math.floor(pixel / (side * side));
  const s = ((pixel % side) + 0.5) * (2 / side) - 1;
  const t = ((Math.floor(pixel / side) % side) + 0.5) * (2 / side) - 1;
  const a = face % 2 === 0 ? 1 : -1;
  const [x, y, z] = face < 2 ? [a, -t, -a * s] : face < 4 ? [s, a, a * t] : [a * s, -t, a];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** The pixel in a direction: the inverse of `directionOf`. */
function pixelAt(side: number, x: number, y: number, z: number): number {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  let face: number;
  let s: number;
  let t: number;
  if (ax >= ay && ax >= az) {
    face = x > 0 ? 0 : 1;
    s = (x > 0 ? -z : z) / ax;
    t = -y / ax;
  } else if (ay >= az) {
    face = y > 0 ? 2 : 3;
    s = x / ay;
    t = (y > 0 ? z : -z) / ay;
  } else {
    face = z > 0 ? 4 : 5;
    s = (z > 0 ? x : -x) / az;
    t = -y / az;
  }
  const column = Math.min(side - 1, Math.floor((s + 1) * 0.5 * side));
  const row = Math.min(side - 1, Math.floor((t + 1) * 0.5 * side));
  return (face * side + row) * side + column;
}

/** A cube whose pixels `light` computes, in their order. */
function filled(side: number, light: (direction: Direction, pixel: number) => readonly number[]): Cube {
  const values = new Float32Array(side * side * 18);
  for (let pixel = 0; pixel < side * side * 6; pixel += 1)
    values.set(light(directionOf(side, pixel), pixel), pixel * 3);
  return { side, values };
}

/** The means of squares of pixels. */
function coarser({ side, values }: Cube, to: number): Cube {
  const by = side / to;
  return filled(to, (_, pixel) => {
    const first = Math.floor(pixel / to) * by * side + (pixel % to) * by;
    const sum: Direction = [0, 0, 0];
    for (let j = 0; j < by; j += 1)
      for (let i = 0; i < by; i += 1)
        for (const k of [0, 1, 2] as const) sum[k] += values[(first + j * side + i) * 3 + k] ?? 0;
    return sum.map((one) => one / (by * by));
  });
}

/** The mean over samples of the lobe around each direction. */
function glossy(side: number, alpha: number, sharp: Cube): Cube {
  // the lobe around +z: x, y, z, weight
  const lobe = new Float64Array(SAMPLES * 4);
  for (let i = 0; i < SAMPLES; i += 1) {
    const share = (i + 0.5) / SAMPLES;
    const below = 1 - share + alpha * alpha * share;
    const along = (1 - share - alpha * alpha * share) / below;
    const away = (2 * alpha * Math.sqrt(share * (1 - share))) / below;
    // turned by the golden angle, so that neighbours do not line up
    const turn = i * 2.399963229728653;
    lobe.set([away * Math.cos(turn), away * Math.sin(turn), along, Math.max(0, along)], i * 4);
  }
  const { values } = sharp;
  return filled(side, ([x, y, z]) => {
    // two axes across the direction
    const up: Direction = Math.abs(z) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const [cx, cy, cz] = [up[1] * z - up[2] * y, up[2] * x - up[0] * z, up[0] * y - up[1] * x];
    const length = Math.hypot(cx, cy, cz);
    const [ux, uy, uz] = [cx / length, cy / length, cz / length];
    const [vx, vy, vz] = [y * uz - z * uy, z * ux - x * uz, x * uy - y * ux];
    let [r, g, b, sum] = [0, 0, 0, 0];
    for (let i = 0; i < lobe.length; i += 4) {
      const [p = 0, q = 0, o = 0, weight = 0] = [lobe[i], lobe[i + 1], lobe[i + 2], lobe[i + 3]];
      const at =
        3 * pixelAt(sharp.side, ux * p + vx * q + x * o, uy * p + vy * q + y * o, uz * p + vz * q + z * o);
      r += (values[at] ?? 0) * weight;
      g += (values[at + 1] ?? 0) * weight;
      b += (values[at + 2] ?? 0) * weight;
      sum += weight;
    }
    return [r / sum, g / sum, b / sum];
  });
}

/** The sum of all the light, weighed by the lobe around each direction. */
function rough(side: number, alpha: number, light: Cube): Cube {
  const pixels = light.side * light.side * 6;
  const sources = Array.from({ length: pixels }, (_, pixel) => directionOf(light.side, pixel));
  // A pixel away from the middle of its face is seen smaller: by the cube of its largest coordinate.
  const sizes = sources.map((d) => Math.max(...d.map(Math.abs)) ** 3);
  const { values } = light;
  const squared = alpha * alpha;
  return filled(side, ([x, y, z]) => {
    let [r, g, b, sum] = [0, 0, 0, 0];
    for (let i = 0; i < pixels; i += 1) {
      const [dx, dy, dz] = sources[i] as Direction;
      const cosine = x * dx + y * dy + z * dz;
      if (cosine <= 0) continue;
      const spread = 1 + squared + (squared - 1) * cosine;
      const weight = (cosine * (sizes[i] ?? 0)) / (spread * spread);
      r += (values[i * 3] ?? 0) * weight;
      g += (values[i * 3 + 1] ?? 0) * weight;
      b += (values[i * 3 + 2] ?? 0) * weight;
      sum += weight;
    }
    return [r / sum, g / sum, b / sum];
  });
}

/** The roughness of a level, as the renderer's shaders expect it. */
export const roughnessOf = (level: number): number => 1 - Math.sqrt(1 - level / (SIDES.length - 1));

/** All levels of a light, from the sharpest. */
export function prefiltered(radiance: Radiance): readonly Cube[] {
  const sharp = filled(SIDES[0], ([x, y, z]) => radiance(x, y, z));
  const coarse = coarser(sharp, COARSE);
  return SIDES.map((side, level) => {
    const roughness = roughnessOf(level);
    if (roughness === 0) return sharp;
    const alpha = roughness * roughness;
    return roughness < ROUGH ? glossy(side, alpha, sharp) : rough(side, alpha, coarse);
  });
}

/** The light as a texture that materials use as it is. */
export function environmentOf(radiance: Radiance): CompressedCubeTexture {
  // three looks into cube maps with x turned round
  const levels = prefiltered((x, y, z) => radiance(-x, y, z));
  const faces = Array.from({ length: 6 }, (_, face) => ({
    width: SIDES[0],
    height: SIDES[0],
    mipmaps: levels.map(({ side, values }) => {
      const data = new Uint16Array(side * side * 4);
      for (let at = 0; at < side * side; at += 1) {
        for (const k of [0, 1, 2] as const)
          data[at * 4 + k] = DataUtils.toHalfFloat(values[(face * side * side + at) * 3 + k] ?? 0);
        data[at * 4 + 3] = DataUtils.toHalfFloat(1);
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
