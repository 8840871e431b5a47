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
const within = ([from = 0, to = 1]: Pair, value: number) => smooth(from, to, value);
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

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

/**
 * The radiance of a light by direction, at the exposure of models' pictures: a white surface that faces the key light is
 * just below white. The engine's `render/light.rs` computes the same from the same figures.
 */
export function exposed(light: Light): (x: number, y: number, z: number) => Triple {
  const lamps = light.lamps.map((lamp) => {
    const centre = toward(lamp.yaw, lamp.elevation);
    const right = unit(cross(Math.abs(centre[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], centre));
    return { ...lamp, centre, right, above: cross(centre, right) };
  });
  const { room } = light;
  const plain = (x: number, y: number, z: number): [number, number, number] => {
    const front = within(room.front, z) * (1 - within(room.front_height, Math.abs(y)));
    const wall = room.wall - room.front_darker * front;
    const high = within(room.sky_from, y);
    const low = within(room.floor_from, -y);
    const up = within(room.horizon, y);
    const sum: [number, number, number] = [0, 0, 0];
    for (const k of [0, 1, 2] as const) {
      const sky = wall + ((room.sky[k] ?? 0) - wall) * high;
      const floor = (room.floor[k] ?? 0) + ((room.floor_below[k] ?? 0) - (room.floor[k] ?? 0)) * low;
      sum[k] = floor + (sky - floor) * up;
    }
    const d: Triple = [x, y, z];
    for (const { centre, right, above, size, edge, radiance } of lamps) {
      const along = dot(d, centre);
      if (along <= 0.05) continue;
      const part = (axis: Triple, half = 0) =>
        1 - smooth(half - edge, half + edge, Math.abs(dot(d, axis) / along));
      const share = part(right, size[0]) * part(above, size[1]);
      if (share > 0) for (const k of [0, 1, 2] as const) sum[k] += (radiance[k] ?? 0) * share;
    }
    return sum;
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
