import { expect, test } from "vitest";
import { isOpenPath } from "../paths";
import { PLANS } from "./areas";

test("every page that is not open leads to one that is", () => {
  for (const [area, plan] of Object.entries(PLANS)) expect(isOpenPath(plan.to), area).toBe(true);
});
