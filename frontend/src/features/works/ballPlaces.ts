/** Evenly distributed places on a sphere: each is a golden angle further round than the one above it. */
export interface BallPlace {
  x: number;
  y: number;
  z: number;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

export function ballPlaces(count: number): readonly BallPlace[] {
  return Array.from({ length: count }, (_, index) => {
    const y = count === 1 ? 0 : 1 - (2 * (index + 0.5)) / count;
    const ring = Math.sqrt(1 - y * y);
    return { x: Math.cos(GOLDEN * index) * ring, y, z: Math.sin(GOLDEN * index) * ring };
  });
}

/** A place after the ball is turned: first round its axis, then towards the viewer. Radians. */
export function turned({ x, y, z }: BallPlace, yaw: number, pitch: number): BallPlace {
  const ahead = z * Math.cos(yaw) - x * Math.sin(yaw);
  const side = x * Math.cos(yaw) + z * Math.sin(yaw);
  return {
    x: side,
    y: y * Math.cos(pitch) - ahead * Math.sin(pitch),
    z: ahead * Math.cos(pitch) + y * Math.sin(pitch),
  };
}
