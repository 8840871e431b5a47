import { describe, expect, it } from "vitest";
import {
  describeParams,
  explain,
  judgeForm,
  paramsText,
  type ServiceForm,
  serviceOf,
  startForm,
} from "./params";

const form = (change: Partial<ServiceForm>): ServiceForm => ({ ...startForm, ...change });
const facts = { triangles: 1_000_000, bytes: 50 * 1_048_576, diagonal: 2 };

describe("service parameters", () => {
  it("are sent in the units of the call", () => {
    expect(JSON.parse(paramsText(form({ kind: "ratio", ratioPercent: "10" })))).toEqual({
      target: { kind: "ratio", value: 0.1 },
      textureMax: 2048,
      format: "glb",
    });
    expect(JSON.parse(paramsText(form({ kind: "error", errorPercent: "0.1", textureMax: 0 })))).toEqual({
      target: { kind: "error", value: 0.001 },
      format: "glb",
    });
    expect(JSON.parse(paramsText(form({ kind: "triangles", triangles: "5000" }))).target.value).toBe(5000);
    expect(JSON.parse(paramsText(form({ type: "convert", format: "stl" })))).toEqual({ format: "stl" });
    expect(JSON.parse(paramsText(form({ type: "tile", textureMax: 1024 })))).toEqual({
      textureMax: 1024,
      textureFormat: "keep",
      geometry: "meshopt",
    });
    expect(judgeForm(form({ type: "tile", ratioPercent: "" }))).toBeUndefined();
    const packed = form({ type: "tile", textureMax: 0, tileTextures: "ktx2", tileGeometry: "draco" });
    expect(JSON.parse(paramsText(packed))).toEqual({ textureFormat: "ktx2", geometry: "draco" });
    expect(describeParams("tile", paramsText(packed))).toBe("KTX2　Draco");
    expect(JSON.parse(paramsText(form({ type: "offline", textureMax: 512 })))).toEqual({ textureMax: 512 });
    const amrt = form({ type: "amrt", packPercent: "50", packTextures: "ktx2", textureMax: 0 });
    expect(JSON.parse(paramsText(amrt))).toEqual({
      target: { kind: "ratio", value: 0.5 },
      textureFormat: "ktx2",
    });
    expect(judgeForm(amrt)).toBeUndefined();
  });

  it.each([
    ["ratio", { ratioPercent: "0" }],
    ["ratio", { ratioPercent: "101" }],
    ["ratio", { ratioPercent: "abc" }],
    ["ratio", { ratioPercent: "1e1" }],
    ["triangles", { triangles: "12.5" }],
    ["triangles", { triangles: "3" }],
    ["sizeMb", { sizeMb: "0" }],
    ["error", { errorPercent: "0" }],
    ["error", { errorPercent: "11" }],
  ] as const)("are refused: %s %o", (kind, change) => {
    expect(judgeForm(form({ kind, ...change }))).toBeTruthy();
  });

  it("are explained for the chosen model", () => {
    expect(explain(form({ kind: "ratio", ratioPercent: "10" }), facts)).toContain("1,000,000 减到约 100,000");
    expect(explain(form({ kind: "triangles", triangles: "2000000" }), facts)).toContain("不会减面");
    expect(explain(form({ kind: "sizeMb", sizeMb: "60" }), facts)).toContain("已经不超过目标");
    expect(explain(form({ kind: "error", errorPercent: "0.1" }), facts)).toContain("2 毫米");
  });

  it("are told apart by the address", () => {
    for (const name of ["lightweight", "convert", "tile", "amrt", "offline"] as const)
      expect(serviceOf(name)).toBe(name);
    for (const name of [null, "", "toString", "embed"]) expect(serviceOf(name)).toBe("lightweight");
    expect(explain(form({ type: "amrt", packPercent: "20" }), facts)).toContain("1,000,000 减到约 200,000");
    expect(explain(form({ type: "offline", textureMax: 0 }), facts)).toMatch(
      /双击 index\.html.*转为 WebP。$/,
    );
  });

  it("read well in a list, and broken ones not at all", () => {
    const text = paramsText(form({ kind: "ratio", ratioPercent: "20" }));
    expect(describeParams("lightweight", text)).toBe("保留 20%　贴图 2048 px");
    expect(describeParams("convert", '{"format":"obj"}')).toBe("转为 OBJ");
    expect(describeParams("lightweight", "not json")).toBe("");
    expect(describeParams("amrt", paramsText(form({ type: "amrt" })))).toBe("保留 100%　WebP　贴图 2048 px");
    expect(describeParams("offline", '{"format":"offline"}')).toBe("");
  });
});
