import { expect, test } from "vitest";
import { readScene, stagingOf } from "@/viewer/scene";
import { changed, pageOf, requestOf } from "./address";
import { ballPlaces, turned } from "./ballPlaces";
import { pinsOf } from "./pins";
import { changeOf, cleanLabel, type Values } from "./rules";

test("a scene is read leniently, and becomes what the stage does", () => {
  expect(stagingOf(readScene(""))).toEqual({});
  expect(stagingOf(readScene("{"))).toEqual({});
  expect(stagingOf(readScene('{"format":"other","version":1}'))).toEqual({});
  const text = JSON.stringify({
    format: "xlscene",
    version: 1,
    camera: {
      start: { position: [1, 2, 3], target: [0, 0, 0], fov: 40 },
      limits: { lowest: -200, highest: 60, farthest: 9 },
      autoRotate: true,
    },
    environment: { name: "sunset", exposure: 1.5, rotation: 30 },
    background: { color: "#ffffff", to: "red" },
    clip: "走",
  });
  expect(stagingOf(readScene(text))).toEqual({
    view: { eye: [1, 2, 3], target: [0, 0, 0] },
    limits: { highest: 60, farthest: 9 },
    autoRotate: true,
    preset: "sunset",
    exposure: 1.5,
    turn: 30,
    ground: { color: "#ffffff" },
    clip: "走",
  });
});

test("the address says what is asked for, within bounds", () => {
  const query = new URLSearchParams("kind=model&order=odd&page=0&keyword=%20a%20");
  expect(requestOf(query)).toEqual({ types: "0,3", keyword: "a", order: "new", pageNo: 1, pageSize: 24 });
  expect(pageOf(new URLSearchParams("page=99999"))).toBe(416);
  expect(changed(new URLSearchParams("page=2&kind=case"), { kind: "" })).toBe("/production/classify");
});

test("only what differs is sent, and labels carry no commas", () => {
  const before: Values = {
    name: "塔",
    description: "",
    type: 0,
    categoryId: "c1",
    industryId: "i1",
    labels: ["a"],
    visibility: "public",
    commentsAllowed: true,
    downloadAllowed: false,
    scene: "",
  };
  expect(changeOf(before, { ...before, name: " 塔 " })).toEqual({});
  expect(changeOf(before, { ...before, industryId: "", labels: [], commentsAllowed: false })).toEqual({
    industryId: "",
    labels: "",
    commentsAllowed: false,
  });
  expect(cleanLabel("木，作,")).toBe("木作");
  expect([...cleanLabel("长".repeat(30))]).toHaveLength(20);
});

test("pins are those of the bundle that is shown, and only of what is shown", () => {
  const comment = (change: object) =>
    ({
      commentId: "k",
      content: "x",
      state: "shown",
      pin: { at: [1, 2, 3], normal: [], bundle: 2 },
      ...change,
    }) as never;
  const bare = { at: [1, 2, 3], normal: [], position: [], target: [] };
  const pins = pinsOf(
    [
      comment({ pin: { ...bare, bundle: 1 } }),
      comment({ pin: { ...bare, bundle: 2 } }),
      comment({ pin: undefined }),
      comment({ state: "hidden", pin: { ...bare, bundle: 2 } }),
    ],
    2,
  );
  expect(pins).toEqual([
    { id: "k", text: "2", label: "标注 2：x", spot: { at: [1, 2, 3], normal: [0, 1, 0] }, view: undefined },
  ]);
});

test("places on the ball lie on it, however it is turned", () => {
  const length = ({ x, y, z }: { x: number; y: number; z: number }) => Math.hypot(x, y, z);
  const places = ballPlaces(24);
  expect(new Set(places.map(({ x, y, z }) => `${x.toFixed(3)} ${y.toFixed(3)} ${z.toFixed(3)}`)).size).toBe(
    24,
  );
  for (const place of places) expect(length(turned(place, 1.2, -0.7))).toBeCloseTo(1);
  expect(turned({ x: 1, y: 0, z: 0 }, Math.PI / 2, 0).z).toBeCloseTo(-1);
});
