/**
 * Light from all directions, blurred for each roughness of a surface: what three's PMREMGenerator computes on the graphics
 * card. Without one that takes three seconds, as it samples 37 million times for at least 256 pixels a side; this studio is
 * soft enough for 64, which the processor has in some 30 ms.
 *
 * Source of the weights: the GGX lobe seen along the normal, B. Karis, "Real Shading in Unreal Engine 4" (2013).
 */
export type Radiance = (x: number, y: number, z: number) => readonly [number, number, number];

/** Six faces one after the other, three numbers a pixel. */
export interface Cube {
  side: number;
  values: Float32Array;
}

/** Pixels along a side: first for mirrors, last for the roughest surfaces. */
const SIDES = [64, 32, 16, 8] as const;
/** Pixels along a side of the light from which the roughest level is summed. */
const COARSE = 16;
/**
 * Up to a roughness, the samples of its lobe and the pixels along a side of the light that they see: within 1 % of the sum of
 * all pixels. Beyond, every pixel of the coarse light is weighed.
 */
const LOBES = [
  { upTo: 0.3, samples: 64, seen: 64 },
  { upTo: 0.6, samples: 128, seen: 32 },
] as const;

/** Of the same sizes as every light here, all dark. */
export const EMPTY_LIGHT: readonly Cube[] = SIDES.map((side) => ({
  side,
  values: new Float32Array(side * side * 18),
}));

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
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
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
  for (let pixel = 0; pixel < side * side * 6; pixel += 1) {
    const [r = 0, g = 0, b = 0] = light(directionOf(side, pixel), pixel);
    values[pixel * 3] = r;
    values[pixel * 3 + 1] = g;
    values[pixel * 3 + 2] = b;
  }
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
function glossy(side: number, alpha: number, seen: Cube, samples: number): Cube {
  // the lobe around +z: x, y, z, weight
  const lobe = new Float64Array(samples * 4);
  for (let i = 0; i < samples; i += 1) {
    const share = (i + 0.5) / samples;
    const below = 1 - share + alpha * alpha * share;
    const along = (1 - share - alpha * alpha * share) / below;
    const away = (2 * alpha * Math.sqrt(share * (1 - share))) / below;
    // turned by the golden angle, so that neighbours do not line up
    const turn = i * 2.399963229728653;
    lobe.set([away * Math.cos(turn), away * Math.sin(turn), along, Math.max(0, along)], i * 4);
  }
  const { values } = seen;
  return filled(side, ([x, y, z]) => {
    // two axes across the direction
    const up: Direction = Math.abs(z) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const [cx, cy, cz] = [up[1] * z - up[2] * y, up[2] * x - up[0] * z, up[0] * y - up[1] * x];
    const length = Math.hypot(cx, cy, cz);
    const [ux, uy, uz] = [cx / length, cy / length, cz / length];
    const [vx, vy, vz] = [y * uz - z * uy, z * ux - x * uz, x * uy - y * ux];
    let r = 0;
    let g = 0;
    let b = 0;
    let sum = 0;
    for (let i = 0; i < lobe.length; i += 4) {
      const p = lobe[i] as number;
      const q = lobe[i + 1] as number;
      const o = lobe[i + 2] as number;
      const weight = lobe[i + 3] as number;
      const at =
        3 * pixelAt(seen.side, ux * p + vx * q + x * o, uy * p + vy * q + y * o, uz * p + vz * q + z * o);
      r += (values[at] as number) * weight;
      g += (values[at + 1] as number) * weight;
      b += (values[at + 2] as number) * weight;
      sum += weight;
    }
    return [r / sum, g / sum, b / sum];
  });
}

/** The sum of all the light, weighed by the lobe around each direction. */
function rough(side: number, alpha: number, light: Cube): Cube {
  const pixels = light.side * light.side * 6;
  const { values } = light;
  // each pixel's direction, size and light, beside each other: most of the time is spent in the loop below
  const sources = new Float64Array(pixels * 7);
  for (let i = 0; i < pixels; i += 1) {
    const [x, y, z] = directionOf(light.side, i);
    // A pixel away from the middle of its face is seen smaller: by the cube of its largest coordinate.
    const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) ** 3;
    sources.set([x, y, z, size], i * 7);
    sources.set(values.subarray(i * 3, i * 3 + 3), i * 7 + 4);
  }
  const squared = alpha * alpha;
  return filled(side, (direction) => weighed(sources, squared, ...direction));
}

/** The mean of sources around a direction, weighed by a lobe. */
function weighed(sources: Float64Array, squared: number, x: number, y: number, z: number): Direction {
  let r = 0;
  let g = 0;
  let b = 0;
  let sum = 0;
  for (let i = 0; i < sources.length; i += 7) {
    const cosine =
      x * (sources[i] as number) + y * (sources[i + 1] as number) + z * (sources[i + 2] as number);
    if (cosine <= 0) continue;
    const spread = 1 + squared + (squared - 1) * cosine;
    const weight = (cosine * (sources[i + 3] as number)) / (spread * spread);
    r += (sources[i + 4] as number) * weight;
    g += (sources[i + 5] as number) * weight;
    b += (sources[i + 6] as number) * weight;
    sum += weight;
  }
  return [r / sum, g / sum, b / sum];
}

/** The roughness of a level, as the renderer's shaders expect it. */
export const roughnessOf = (level: number): number => 1 - Math.sqrt(1 - level / (SIDES.length - 1));

/** All levels of a light, from the sharpest. */
export function prefiltered(radiance: Radiance): Cube[] {
  const sharp = filled(SIDES[0], ([x, y, z]) => radiance(x, y, z));
  return SIDES.map((side, level) => {
    const roughness = roughnessOf(level);
    if (roughness === 0) return sharp;
    const alpha = roughness * roughness;
    const lobe = LOBES.find(({ upTo }) => roughness < upTo);
    return lobe
      ? glossy(side, alpha, coarser(sharp, lobe.seen), lobe.samples)
      : rough(side, alpha, coarser(sharp, COARSE));
  });
}
