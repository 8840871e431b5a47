import { describe, expect, it } from "vitest";
import { heightOn } from "./path";

describe("way of the piece", () => {
  const path = [0, 100, 40, 20, 80, 120];

  it("passes through its points and is level there", () => {
    for (const [x, y] of [
      [0, 100],
      [40, 20],
      [80, 120],
    ] as const) {
      expect(heightOn(path, x)).toBeCloseTo(y);
      expect(Math.abs(heightOn(path, x + 1) - heightOn(path, x - 1))).toBeLessThan(1);
    }
  });

  it("goes half a wave between two points and stays at its end", () => {
    expect(heightOn(path, 20)).toBeCloseTo(60);
    expect(heightOn(path, 60)).toBeCloseTo(70);
    expect(heightOn(path, 200)).toBe(120);
  });
});
