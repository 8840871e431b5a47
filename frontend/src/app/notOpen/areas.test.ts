import { expect, test } from "vitest";
import { isOpenPath, paths } from "../paths";
import { areaAt } from "./areas";

const soon = paths.filter((page) => !page.open);

test("every page that is not open leads to one that is", () => {
  for (const page of soon) expect(isOpenPath(areaAt(page.path).to), page.path).toBe(true);
});

test("no page falls to the last area: each has an area of its own", () => {
  const last = areaAt("/nothing");
  expect(soon.filter((page) => areaAt(page.path) === last).map((page) => page.path)).toEqual([]);
});
