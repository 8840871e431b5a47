/**
 * Height of the piece when its left edge is at `x`. `path` alternates x and y of points from left to right; between two points
 * the piece follows half a cosine wave, so that it is level, and easy to stop, where a gap may be.
 */
export function heightOn(path: readonly number[], x: number): number {
  for (let i = 2; i + 1 < path.length; i += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = path.slice(i - 2, i + 2);
    if (x > toX) continue;
    const share = Math.min(1, Math.max(0, (x - fromX) / Math.max(1, toX - fromX)));
    return fromY + ((toY - fromY) * (1 - Math.cos(Math.PI * share))) / 2;
  }
  return path.at(-1) ?? 0;
}
