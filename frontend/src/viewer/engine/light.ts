import { STUDIO } from "@/facts/studio";

type Triple = readonly [number, number, number];
type Pair = readonly number[];

export interface Lamp {
  name: string;
  /** degrees, to the right of the light's camera, and above the horizon */
  yaw: number;
  elevation: number;
  /** half width, half height and half the edge's width as tangents */
  size: Pair;
  edge: number;
  radiance: Pair;
}

/** Light from all directions: a room with lamps. */
export interface Light {
  room: typeof STUDIO.room;
  lamps: readonly Lamp[];
}

/** Samples of the sphere for measuring the exposure, along one side. */
const SIDE = 48;

const smooth = (from: number, to: number, value: number): number => {
  const t = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const within = (range: Pair, value: number) => smooth(range[0] ?? 0, range[1] ?? 1, value);

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;
const three = ([a = 0, b = 0, c = 0]: Pair): Triple => [a, b, c];

/** +z points from the model to the camera, +y up. */
function toward(yaw: number, elevation: number): Triple {
  const [a, b] = [(yaw * Math.PI) / 180, (elevation * Math.PI) / 180];
  return [Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b)];
}

const unit = ([x, y, z]: Triple): Triple => {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
};

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

interface PlacedLamp {
  /** unit vectors: the direction of its middle, and the axes of its rectangle */
  centre: Triple;
  right: Triple;
  above: Triple;
  half: readonly [number, number];
  edge: number;
  radiance: Triple;
}

function placed({ yaw, elevation, size: [wide = 0, high = 0], edge, radiance }: Lamp): PlacedLamp {
  const centre = toward(yaw, elevation);
  const right = unit(cross(Math.abs(centre[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], centre));
  return { centre, right, above: cross(centre, right), half: [wide, high], edge, radiance: three(radiance) };
}

/**
 * The radiance of a light by direction, at the exposure of models' pictures: a white surface that faces the key light is
 * just below white. The engine's `render/light.rs` computes the same from the same figures.
 */
export function exposed(light: Light): (x: number, y: number, z: number) => Triple {
  const lamps = light.lamps.map(placed);
  const { room } = light;
  const sky = three(room.sky);
  const floor = three(room.floor);
  const below = three(room.floor_below);
  // Thirty thousand directions are asked before a model's first picture: without lists and closures.
  const plain = (x: number, y: number, z: number): [number, number, number] => {
    const front = within(room.front, z) * (1 - within(room.front_height, Math.abs(y)));
    const wall = room.wall - room.front_darker * front;
    const high = within(room.sky_from, y);
    const low = within(room.floor_from, -y);
    const up = within(room.horizon, y);
    let r = mix(mix(floor[0], below[0], low), mix(wall, sky[0], high), up);
    let g = mix(mix(floor[1], below[1], low), mix(wall, sky[1], high), up);
    let b = mix(mix(floor[2], below[2], low), mix(wall, sky[2], high), up);
    for (let i = 0; i < lamps.length; i += 1) {
      const { centre, right, above, half, edge, radiance } = lamps[i] as PlacedLamp;
      const along = centre[0] * x + centre[1] * y + centre[2] * z;
      if (along <= 0.05) continue;
      const aside = Math.abs((right[0] * x + right[1] * y + right[2] * z) / along);
      const over = Math.abs((above[0] * x + above[1] * y + above[2] * z) / along);
      if (aside >= half[0] + edge || over >= half[1] + edge) continue;
      const share =
        (1 - smooth(half[0] - edge, half[0] + edge, aside)) *
        (1 - smooth(half[1] - edge, half[1] + edge, over));
      r += radiance[0] * share;
      g += radiance[1] * share;
      b += radiance[2] * share;
    }
    return [r, g, b];
  };
  const by = exposure(plain);
  return (x, y, z) => {
    const [r, g, b] = plain(x, y, z);
    return [r * by, g * by, b * by];
  };
}

function exposure(radiance: (x: number, y: number, z: number) => Triple): number {
  const { yaw, elevation, white } = STUDIO.exposure;
  const faces = toward(yaw, elevation);
  let irradiance = 0;
  for (let j = 0; j < SIDE; j += 1) {
    // equal steps of height are equal areas of the sphere
    const y = ((j + 0.5) / SIDE) * 2 - 1;
    const ring = Math.sqrt(1 - y * y);
    for (let i = 0; i < SIDE * 2; i += 1) {
      const turn = ((i + 0.5) / SIDE) * Math.PI;
      const d: Triple = [ring * Math.cos(turn), y, ring * Math.sin(turn)];
      const facing = dot(d, faces);
      if (facing <= 0) continue;
      const [r, g, b] = radiance(...d);
      irradiance += ((r + g + b) / 3) * facing;
    }
  }
  irradiance *= (4 * Math.PI) / (SIDE * SIDE * 2);
  return (white * Math.PI) / irradiance;
}
