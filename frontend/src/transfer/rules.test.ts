import { describe, expect, it } from "vitest";
import { acceptedExtensions, defaultModelName, deniedMessage, GB, judgeFile, MB, messages } from "./rules";

const settings = ["fbx", "obj", "stl", "glb"].map((modelFormat) => ({ modelFormat, maxSize: 300 }));
const free = { settings, userLimitMb: 300 };
const member = { settings: settings.map((s) => ({ ...s, maxSize: 500 })), userLimitMb: 500 };

const single = (name: string, size: number, context = free) => judgeFile({ name, size }, "object", context);

describe("single-model files", () => {
  it("takes the server's formats, zip and rar, in any case", () => {
    for (const name of ["a.fbx", "a.OBJ", "a.zip", "a.RAR"]) expect(single(name, MB).kind).toBe("ok");
    expect(single("a.fbx", MB)).toEqual({ kind: "ok", format: "fbx" });
    expect(acceptedExtensions("object", [{ modelFormat: ".igs", maxSize: 1 }])).toEqual([
      "igs",
      "zip",
      "rar",
    ]);
  });

  it("refuses others with the exact text", () => {
    expect(single("x.txt", MB)).toEqual({ kind: "refused", message: "格式不支持" });
    expect(single("noextension", MB)).toEqual({ kind: "refused", message: "格式不支持" });
    expect(single(".fbx", MB)).toEqual({ kind: "refused", message: "格式不支持" });
  });

  it("tells format and limit when the file is above the user's own", () => {
    expect(single("a.fbx", 300 * MB).kind).toBe("ok");
    expect(single("a.fbx", 301 * MB)).toEqual({
      kind: "refused",
      byGrade: true,
      message: "fbx文件大小不得超过300MB",
    });
    expect(single("a.fbx", 499 * MB, member).kind).toBe("ok");
  });

  it("sends everybody above 500 MB to the service", () => {
    expect(single("a.fbx", 501 * MB).kind).toBe("contact");
    expect(single("a.fbx", 501 * MB, member).kind).toBe("contact");
    expect(single("a.zip", 501 * MB, member).kind).toBe("contact");
  });

  it("lets the one exempt account pass, whose limit the server raises", () => {
    expect(single("a.fbx", 501 * MB, { settings, userLimitMb: 100_000 }).kind).toBe("ok");
  });

  it("says when there are no settings, and when the file is empty", () => {
    expect(single("a.fbx", MB, { settings: [], userLimitMb: 300 })).toEqual({
      kind: "refused",
      message: "暂无配置",
    });
    expect(single("a.fbx", 0)).toEqual({ kind: "refused", message: "文件选择错误，请联系管理员" });
  });
});

describe("oblique-photography files", () => {
  const scene = (name: string, size: number) =>
    judgeFile({ name, size }, "scene", { settings, userLimitMb: 5120 });

  it("takes only zip and rar", () => {
    expect(scene("a.obj", MB)).toEqual({ kind: "refused", message: "文件格式不正确！仅支持.ZIP,.RAR文件" });
    expect(scene("a.zip", 5 * GB).kind).toBe("ok");
  });

  it("suggests the desktop client above 5 GB", () => {
    expect(scene("a.zip", 5 * GB + 1).kind).toBe("client");
  });
});

describe("words", () => {
  it("stand exactly as specified", () => {
    expect(deniedMessage("object")).toBe(
      "文件格式不正确！仅支持.FBX,.OBJ,.STL,.ZIP,.RAR,.igs,.iges,.jt,.rvt,.stp,.step文件",
    );
    expect([messages.params, messages.failed, messages.checkUnreachable]).toEqual([
      "获取上传参数出错",
      "上传失败",
      "体检接口访问失败",
    ]);
  });

  it("make a default name of at most 15 characters, whole characters only", () => {
    expect(defaultModelName("齿轮.obj")).toBe("齿轮");
    expect(defaultModelName(`${"一".repeat(20)}.obj`)).toBe("一".repeat(15));
    expect(Array.from(defaultModelName(`${"🛠".repeat(20)}.obj`))).toHaveLength(15);
    expect(defaultModelName("a.b.c.obj")).toBe("a.b.c");
  });
});
