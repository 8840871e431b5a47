import { expect, it } from "vitest";
import { backdropCss } from "./backdrop";

it("a backdrop drawn by the page has the stage's colours at the stage's places", () => {
  // circles around heights 215 and 256 of 512, of radius 20 and 380, the middle colour at 0.55 between them
  expect(backdropCss("dark")).toBe(
    "radial-gradient(ellipse 74.2% 74.2% at 50% 46.0%, #222C46 5.3%, #141B2E 57.4%, #0B1020)",
  );
  expect(backdropCss({ color: "#ffffff", to: "#dddddd" })).toMatch(/#ffffff 5.3%, #ffffff 57.4%, #dddddd/);
});
