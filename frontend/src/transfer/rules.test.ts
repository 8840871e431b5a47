import { describe, expect, it } from "vitest";
import { acceptedExtensions, defaultModelName, deniedMessage, GB, judgeFile, MB, messages } from "./rules";

const settings = ["fbx", "obj", "stl", "glb"].map((modelFormat) => ({ modelFormat, maxSize: 300 }));
const free = { settings, userLimitMb: 300 };
const member = { settings: settings.map((s) => ({ ...s, maxSize: 500 })), userLimitMb: 500 };

const single = (name: string, size: number, context = free) => judgeFile({ name, size }, "object", context);

describe("single-model files", () => {
  it("takes the server's formats, zip and rar, in any case (UP011 to UP013)", () => {
    for (const name of ["a.fbx", "a.OBJ", "a.zip", "a.RAR"]) expect(single(name, MB).kind).toBe("ok");
    expect(single("a.fbx", MB)).toEqual({ kind: "ok", format: "fbx" });
    expect(acceptedExtensions("object", [{ modelFormat: ".igs", maxSize: 1 }])).toEqual([
      "igs",
      "zip",
      "rar",
    ]);
    const igs = { settings: [{ modelFormat: "igs", maxSize: 300 }], userLimitMb: 300 };
    expect(single("a.igs", MB, igs).kind).toBe("ok");
    expect(single("a.fbx", MB, igs).kind).toBe("refused");
  });

  it("refuses others with the exact text (UP010)", () => {
    expect(single("x.txt", MB)).toEqual({ kind: "refused", message: "格式不支持" });
    expect(single("noextension", MB)).toEqual({ kind: "refused", message: "格式不支持" });
    expect(single(".fbx", MB)).toEqual({ kind: "refused", message: "格式不支持" });
  });

  it("tells format and limit when the file is above the user's own (UP014)", () => {
    expect(single("a.fbx", 300 * MB).kind).toBe("ok");
    expect(single("a.fbx", 301 * MB)).toEqual({
      kind: "refused",
      byGrade: true,
      message: "fbx文件大小不得超过300MB",
    });
    expect(single("a.fbx", 499 * MB, member).kind).toBe("ok");
  });

  it("sends everybody above 500 MB to the service (UP016, AM049)", () => {
    expect(single("a.fbx", 501 * MB).kind).toBe("contact");
    expect(single("a.fbx", 501 * MB, member).kind).toBe("contact");
    expect(single("a.zip", 501 * MB, member).kind).toBe("contact");
  });

  it("takes 499 MB of a member and not 501 MB, as the server states it (UP015, AM050)", () => {
    expect(single("a.fbx", 499 * MB, member).kind).toBe("ok");
    expect(single("a.fbx", 500 * MB, member).kind).toBe("ok");
    expect(single("a.fbx", 501 * MB, member).kind).toBe("contact");
    // The smaller of the server's two limits applies.
    expect(single("a.fbx", 499 * MB, { ...member, userLimitMb: 300 }).kind).toBe("refused");
    expect(single("a.fbx", 499 * MB, { ...member, settings }).kind).toBe("refused");
  });

  it("lets an exempt account pass, which both answers of the server give more (UP017, AM059)", () => {
    // The responses of personal and process for an account in `uploads.unlimited_accounts`.
    const exempt = { settings: settings.map((s) => ({ ...s, maxSize: 5120 })), userLimitMb: 5120 };
    expect(single("a.fbx", 501 * MB, exempt).kind).toBe("ok");
    expect(single("a.fbx", 5120 * MB, exempt).kind).toBe("ok");
    expect(single("a.fbx", 5121 * MB, exempt)).toMatchObject({ message: "fbx文件大小不得超过5120MB" });
    // One response alone exempts no account: the other service would refuse the file.
    expect(single("a.fbx", 501 * MB, { ...exempt, userLimitMb: 300 }).kind).toBe("contact");
    expect(single("a.fbx", 501 * MB, { ...exempt, settings }).kind).toBe("contact");
  });

  it("refuses names that read otherwise than they are", () => {
    const named = (name: string) => single(name, MB);
    expect(named("a\u202egpj.fbx")).toMatchObject({ message: messages.invisible });
    expect(named("a\u200b.fbx")).toMatchObject({ message: messages.invisible });
    expect(named("a\u0007.fbx")).toMatchObject({ message: messages.invisible });
    expect(named("a\nb.fbx")).toMatchObject({ message: messages.lineBreak });
    expect(named("👩‍🔧 (1).fbx").kind).toBe("ok");
  });

  it("says when there are no settings, and when the file is empty (UP044, UP045)", () => {
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

  it("takes only zip and rar, up to 5 GB (UP018, UP019, UP022, AM051, AM058)", () => {
    expect(scene("a.obj", MB)).toEqual({ kind: "refused", message: "文件格式不正确！仅支持.ZIP,.RAR文件" });
    expect(scene("a.rar", MB).kind).toBe("ok");
    expect(scene("a.zip", 5 * GB).kind).toBe("ok");
  });

  it("suggests the desktop client above 5 GB (UP020)", () => {
    expect(scene("a.zip", 5 * GB + 1).kind).toBe("client");
  });
});

describe("words", () => {
  it("stand exactly as specified (UP021, AM054)", () => {
    expect(deniedMessage("object")).toBe(
      "文件格式不正确！仅支持.FBX,.OBJ,.STL,.ZIP,.RAR,.igs,.iges,.jt,.rvt,.stp,.step文件",
    );
    expect([messages.params, messages.failed, messages.checkUnreachable]).toEqual([
      "获取上传参数出错",
      "上传失败",
      "体检接口访问失败",
    ]);
  });

  it("make a default name of at most 15 characters, whole characters only (UP025, UP026)", () => {
    expect(defaultModelName("齿轮.obj")).toBe("齿轮");
    expect(defaultModelName(`${"一".repeat(20)}.obj`)).toBe("一".repeat(15));
    expect(Array.from(defaultModelName(`${"🛠".repeat(20)}.obj`))).toHaveLength(15);
    expect(defaultModelName("a.b.c.obj")).toBe("a.b.c");
  });
});
