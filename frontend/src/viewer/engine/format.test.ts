import { BoxGeometry, Group, InstancedMesh, Mesh, MeshStandardMaterial } from "three";
import { describe, expect, it } from "vitest";
import { roundStep } from "../tools/grid";
import { formatError } from "../ui/CompareStrip";
import { formatLength } from "./format";
import { measureModel } from "./statistics";

describe("lengths", () => {
  it("read in the unit that fits", () => {
    expect([0, 0.00002, 0.0042, 0.571, 1.8, 12.34, 250, 1250].map(formatLength)).toEqual([
      "0 m",
      "20 μm",
      "4.2 mm",
      "57.1 cm",
      "1.8 m",
      "12.3 m",
      "250 m",
      "1.25 km",
    ]);
  });

  it("give a grid round steps", () => {
    expect([0.013, 0.3, 0.8, 4.1, 1600].map((n) => Number(roundStep(n).toPrecision(3)))).toEqual([
      0.01, 0.2, 1, 5, 2000,
    ]);
  });

  it("show errors as a share of the diagonal", () => {
    expect([0, 0.00034, 0.0106, 0.000000021].map(formatError)).toEqual(["0%", "0.034%", "1.1%", "2.1e-6%"]);
  });
});

describe("statistics of a model", () => {
  it("count shared geometry once in memory and every use in triangles", () => {
    const box = new BoxGeometry(2, 1, 1);
    const material = new MeshStandardMaterial();
    const root = new Group();
    root.add(new Mesh(box, material), new Mesh(box, material), new InstancedMesh(box, material, 3));
    const s = measureModel(root);
    expect(s).toMatchObject({ meshes: 3, triangles: 12 * 5, materials: 1, textures: 0, skinned: false });
    const bytes = Object.values(box.attributes).reduce((sum, a) => sum + a.array.byteLength, 0);
    expect(s.geometryBytes).toBe(bytes + (box.index?.array.byteLength ?? 0));
    expect(s.size).toEqual([2, 1, 1]);
  });
});
