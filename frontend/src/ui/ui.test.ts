import { expect, test } from "vitest";
import { knot, meshBytes } from "@/features/home/mesh";
import { greetingAt } from "@/features/workbench/greeting";
import { formatBytes } from "./bytes";
import { formatRemaining } from "./Countdown";
import { formatCents } from "./Price";

test("cents are shown as yuan with two decimals", () => {
  expect(formatCents(12345)).toBe("123.45");
  expect(formatCents(0)).toBe("0.00");
  expect(formatCents(123456789)).toBe("1,234,567.89");
  expect(formatCents(Number.NaN)).toBe("—");
});

test("bytes go by powers of 1024", () => {
  expect(formatBytes(1023)).toBe("1023 B");
  expect(formatBytes(1536)).toBe("1.5 KB");
  expect(formatBytes(300 * 1024 * 1024)).toBe("300 MB");
  expect(formatBytes(10 * 1024 ** 3)).toBe("10 GB");
  expect(formatBytes(1014 * 1024)).toBe("1 MB");
  expect(formatBytes(-1)).toBe("—");
});

test("a countdown reads mm:ss and stops at zero", () => {
  expect(formatRemaining(30 * 60_000)).toBe("30:00");
  expect(formatRemaining(59_001)).toBe("01:00");
  expect(formatRemaining(-5)).toBe("00:00");
});

test("the greeting follows the hour", () => {
  expect([0, 8, 12, 15, 22].map(greetingAt)).toEqual(["夜深了", "早上好", "中午好", "下午好", "晚上好"]);
});

test("the demonstration mesh is closed: every edge belongs to two triangles", () => {
  const { indices, positions } = knot(28, 6);
  expect(indices.length / 3).toBe(28 * 6 * 2);
  const edges = new Map<string, number>();
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k += 1) {
      const a = indices[t + k] ?? 0;
      const b = indices[t + ((k + 1) % 3)] ?? 0;
      const key = a < b ? `${a}-${b}` : `${b}-${a}`;
      edges.set(key, (edges.get(key) ?? 0) + 1);
    }
  }
  expect([...edges.values()].every((count) => count === 2)).toBe(true);
  expect(meshBytes({ indices, positions })).toBe(28 * 6 * 24 + 28 * 6 * 6 * 2);
});
