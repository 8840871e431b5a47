import { expect, it } from "vitest";
import { prefiltered, type Radiance, roughnessOf } from "./prefilter";

const faceOf = (cube: { side: number; values: Float32Array }, face: number) => {
  const length = cube.side * cube.side * 3;
  return [...cube.values.subarray(face * length, (face + 1) * length)];
};
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

it("an even light stays as it is at every roughness", () => {
  for (const { values } of prefiltered(() => [0.25, 1, 4]))
    values.forEach((value, i) => {
      expect(value).toBeCloseTo([0.25, 1, 4][i % 3] as number, 4);
    });
});

it("each face looks its own way, in OpenGL's order", () => {
  const axis: Radiance = (x, y, z) => [x, y, z];
  for (const cube of prefiltered(axis)) {
    const along = [0, 1, 2, 3, 4, 5].map((face) => {
      const values = faceOf(cube, face);
      return [0, 1, 2].map((k) => Math.round(mean(values.filter((_, i) => i % 3 === k)) * 10));
    });
    const [size] = along[0] as number[];
    expect(size).toBeGreaterThan(4);
    for (const [face, [x, y, z]] of along.entries()) {
      const expected = [0, 0, 0];
      expected[Math.floor(face / 2)] = face % 2 === 0 ? (size as number) : -(size as number);
      expect([x, y, z].map((v) => (v as number) + 0)).toEqual(expected.map((v) => v + 0));
    }
  }
});

it("the roughest level is what a matt surface receives", () => {
  // A bright sky above the horizon: a surface facing up gets all of it, one facing sideways half.
  const levels = prefiltered((_x, y) => (y > 0 ? [1, 1, 1] : [0, 0, 0]));
  const last = levels.at(-1) as { side: number; values: Float32Array };
  const middle = (face: number) => {
    const values = faceOf(last, face);
    const at = ((last.side / 2) * last.side + last.side / 2) * 3;
    return values[at] as number;
  };
  expect(middle(2)).toBeGreaterThan(0.96);
  expect(middle(3)).toBeLessThan(0.04);
  for (const side of [0, 1, 4, 5]) expect(Math.abs(middle(side) - 0.5)).toBeLessThan(0.1);
});

it("a lamp spreads with the roughness, and no light is gained or lost much", () => {
  const levels = prefiltered((_x, _y, z) => (z > 0.97 ? [30, 30, 30] : [0.1, 0.1, 0.1]));
  const peaks = levels.map(({ values }) => Math.max(...values));
  expect(levels.map((_, level) => roughnessOf(level))[0]).toBe(0);
  for (let i = 1; i < peaks.length; i += 1) expect(peaks[i]).toBeLessThanOrEqual(peaks[i - 1] as number);
  // seen from the lamp's own direction a glossy surface still shows it, a matt one only its share
  expect(peaks[1]).toBeGreaterThan(25);
  expect(peaks[3]).toBeLessThan(4);
});
