import { describe, expect, it } from "vitest";
import { formatRemaining, judgeModelName } from "./texts";
import { closingNotice, wizardReducer, wizardStart } from "./wizard";

const started = wizardReducer(wizardStart, { type: "checkStarted", fileId: "7", fileName: "a.obj" });

describe("wizard", () => {
  it("goes from upload to check to name, in this order only (UP004, UP005)", () => {
    expect(wizardReducer(wizardStart, { type: "name" }).step).toBe(1);
    expect(started).toMatchObject({ step: 2, fileId: "7" });
    expect(wizardReducer(started, { type: "name" }).step).toBe(2);
    const passed = wizardReducer(started, { type: "checkPassed" });
    expect(wizardReducer(passed, { type: "checkPassed" })).toBe(passed);
    expect(wizardReducer(passed, { type: "name" }).step).toBe(3);
  });

  it("keeps its tab once a file is on its way", () => {
    expect(wizardReducer(wizardStart, { type: "tab", tab: "scene" }).tab).toBe("scene");
    expect(wizardReducer(started, { type: "tab", tab: "scene" }).tab).toBe("object");
  });

  it("tells of the background only while the check runs (CK015)", () => {
    expect(closingNotice(wizardStart)).toBe("none");
    expect(closingNotice(started)).toBe("background");
    expect(closingNotice(wizardReducer(started, { type: "checkPassed" }))).toBe("unnamed");
  });
});

describe("words", () => {
  it("of the name (UP023, UP024)", () => {
    expect(judgeModelName("  ")).toBe("模型名称不能为空");
    expect(judgeModelName("一".repeat(16))).toBe("长度在 1 到 15 个字符");
    expect(judgeModelName("一".repeat(15))).toBeUndefined();
  });

  it("of the remaining time", () => {
    expect(formatRemaining(undefined)).toBe("正在估算剩余时间");
    expect(formatRemaining(75)).toBe("剩余 1 分 15 秒");
    expect(formatRemaining(7320)).toBe("剩余 2 小时 2 分");
  });
});
