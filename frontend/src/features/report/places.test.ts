import { BoxGeometry, Group, Mesh, MeshBasicMaterial } from "three";
import { describe, expect, it } from "vitest";
import { noteMeshes } from "@/viewer/engine/loader";
import { findPlace } from "@/viewer/engine/places";
import { pixelText } from "./Panels";
import { placesOf } from "./places";

describe("places of a problem", () => {
  it("are taken apart and named once", () => {
    expect(placesOf("第 1 个网格、第 1 个网格、第 1 个网格 等 4 处")).toEqual({
      places: [{ text: "第 1 个网格", place: { meshIndex: 0 } }],
      rest: " 等 4 处",
    });
    expect(placesOf("网格 前、后轮（节点 车_01）、节点 左脚").places.map(({ place }) => place)).toEqual([
      { mesh: "前、后轮", node: "车_01" },
      { node: "左脚" },
    ]);
    const parts = "网格 花窗.16的材质 朱漆 部分、网格 轮（节点 车）的材质 漆 部分、第 2 个网格的材质 漆 部分";
    expect(placesOf(parts).places.map(({ place }) => place)).toEqual([
      { mesh: "花窗.16", material: "朱漆" },
      { mesh: "轮", node: "车", material: "漆" },
      { meshIndex: 1, material: "漆" },
    ]);
    expect(placesOf("行走")).toEqual({ places: [{ text: "行走", place: undefined }], rest: "" });
  });

  it("are noted while loading, also where the loader knows nothing of a copied material", () => {
    const part = new Mesh();
    noteMeshes(
      new Map<unknown, { meshes?: number } | undefined>([
        [new MeshBasicMaterial(), undefined],
        [new Group(), {}],
        [part, { meshes: 1 }],
      ]),
      [{ name: "车身" }, { name: "轮胎" }],
    );
    expect(part.userData.fileMesh).toEqual({ index: 1, name: "轮胎" });
  });

  it("are found in the model by node, mesh or number", () => {
    const root = new Group();
    const wheel = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ name: "橡胶" }));
    wheel.name = "wheel";
    wheel.userData = { name: "轮 1", fileMesh: { index: 3, name: "轮胎" } };
    root.add(wheel);
    for (const place of [
      { node: "轮 1" },
      { mesh: "轮胎" },
      { mesh: "轮胎", node: "已合并的节点" },
      { meshIndex: 3 },
      { material: "橡胶" },
    ]) {
      expect(findPlace(root, place)).toEqual([wheel]);
    }
    expect(findPlace(root, { node: "wheel" })).toEqual([]);
  });

  it("are the part of a mesh with the named material, all of the mesh if that has been merged", () => {
    const root = new Group();
    const window = new Group();
    window.userData = { name: "花窗", fileMesh: { index: 0, name: "花窗" } };
    const frame = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ name: "朱漆" }));
    const pane = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ name: "纸" }));
    window.add(frame, pane);
    root.add(window);
    expect(findPlace(root, { mesh: "花窗", material: "朱漆" })).toEqual([frame]);
    expect(findPlace(root, { mesh: "花窗", material: "金" })).toEqual([window]);
    expect(findPlace(root, { mesh: "没有", material: "纸" })).toEqual([pane]);
  });
});

it("pixels are counted in 万", () => {
  expect([900, 19_922_944, 20_971_520].map(pixelText)).toEqual(["900 像素", "1,992 万像素", "2,097 万像素"]);
});
