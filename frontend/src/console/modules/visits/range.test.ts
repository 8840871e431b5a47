import { expect, test } from "vitest";
import { daysBefore, pointLabel } from "./range";

test("days and hours are those of Beijing, wherever the operator sits", () => {
  const late = Date.UTC(2026, 10, 22, 16, 30);
  expect(daysBefore(1, late)).toBe(Date.UTC(2026, 10, 22, 16));
  expect(daysBefore(7, late)).toBe(Date.UTC(2026, 10, 16, 16));
  expect(pointLabel(daysBefore(1, late), "day")).toBe("2026-11-23");
  expect(pointLabel(Date.UTC(2026, 10, 22, 17), "hour")).toBe("11-23 01:00");
});
