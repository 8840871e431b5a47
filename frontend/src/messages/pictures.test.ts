import { expect, it } from "vitest";
import { pictureGroups } from "./pictures";

const namesOf = (...pictures: [kind: string, title: string][]) =>
  pictureGroups(pictures.map(([kind, title]) => ({ kind, title }))).flatMap((group) =>
    group.pictures.map(({ name }) => name),
  );

it("names all pictures that the engine makes in Chinese, in the order of their kinds", () => {
  expect(
    namesOf(
      ["texture", "baseColor normal"],
      ["uv", ""],
      ...["front", "right", "back", "left", "top", "bottom"].map((side): [string, string] => ["wire", side]),
      ["turntable", ""],
      ["beauty", ""],
      ["beauty", ""],
    ),
  ).toEqual([
    "展示图 1",
    "展示图 2",
    "转台",
    "线框 正面",
    "线框 右面",
    "线框 背面",
    "线框 左面",
    "线框 顶面",
    "线框 底面",
    "UV 布局",
    "贴图 基础色、法线",
  ]);
});

it("maps of the same use differ by number; uses that are not known are told once and without their names", () => {
  expect(
    namesOf(
      ["texture", "metallicRoughness occlusion"],
      ["texture", "emissive"],
      ["texture", "emissive"],
      ["texture", "warp constructor"],
    ),
  ).toEqual(["贴图 金属度/粗糙度、遮蔽", "贴图 自发光", "贴图 自发光 2", "贴图 其他用途"]);
});

it("a picture of a newer engine has a name too, after the others", () => {
  expect(namesOf(["hologram", "spin"], ["scan", "spin"], ["wire", "inside"], ["beauty", ""])).toEqual([
    "展示图 1",
    "线框 1",
    "图片 1",
    "图片 2",
  ]);
});
