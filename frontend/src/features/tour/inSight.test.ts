import { afterEach, expect, test, vi } from "vitest";
import { CARD_GAP, inSight, seen } from "./inSight";

afterEach(() => vi.unstubAllGlobals());

const PHONE = { x: 0, y: 0, width: 375, height: 667 };
const CARD = { width: 320, height: 212 };

test("a card that is seen whole stays where it is", () => {
  expect(inSight({ x: 28, y: 362, ...CARD }, PHONE)).toEqual({ x: 28, y: 362 });
});

test("a card beside a tall target comes into the view with its buttons, at each edge (TR001, TR002, TR004)", () => {
  expect(inSight({ x: 28, y: 514, ...CARD }, PHONE).y).toBe(667 - 212 - CARD_GAP);
  expect(inSight({ x: 28, y: -60, ...CARD }, PHONE).y).toBe(CARD_GAP);
  expect(inSight({ x: 300, y: 20, ...CARD }, PHONE).x).toBe(375 - 320 - CARD_GAP);
  expect(inSight({ x: -40, y: 20, ...CARD }, PHONE).x).toBe(CARD_GAP);
});

test("what a zoom or a keyboard hides does not count as seen", () => {
  vi.stubGlobal("visualViewport", { offsetLeft: 10, offsetTop: 100, width: 355, height: 300 });
  expect(seen()).toEqual({ x: 10, y: 100, width: 355, height: 300 });
  expect(inSight({ x: 0, y: 514, ...CARD }, seen())).toEqual({ x: 22, y: 400 - 212 - CARD_GAP });
});

test("of a card longer than the view its end, the buttons, is seen", () => {
  expect(inSight({ x: 20, y: 0, width: 320, height: 400 }, { x: 0, y: 0, width: 375, height: 300 }).y).toBe(
    300 - CARD_GAP - 400,
  );
});
