import { expect, it } from "vitest";
import { middleOf, sideOf, within } from "./crop";

const wide = { width: 800, height: 400 };

it("the whole shorter side is kept at first", () => {
  expect(middleOf(wide)).toEqual({ x: 400, y: 200, zoom: 1 });
  expect(sideOf(wide, 1)).toBe(400);
  expect(sideOf(wide, 2)).toBe(200);
});

it("a crop never leaves the picture, however far it is pushed or magnified", () => {
  expect(within(wide, { x: -50, y: 900, zoom: 1 })).toEqual({ x: 200, y: 200, zoom: 1 });
  expect(within(wide, { x: 900, y: -9, zoom: 2 })).toEqual({ x: 700, y: 100, zoom: 2 });
  expect(within(wide, { x: 400, y: 200, zoom: 99 }).zoom).toBe(4);
  expect(within(wide, { x: 400, y: 200, zoom: 0 }).zoom).toBe(1);
});
