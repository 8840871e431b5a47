import { describe, expect, it } from "vitest";
import {
  applyMessage,
  applyMessages,
  type CheckMessage,
  emptyLog,
  recommendsLightweight,
  sentence,
  splitTip,
} from "./log";

const message = (seq: number, status: CheckMessage["status"], tips: string): CheckMessage => ({
  seq,
  status,
  tips,
  currentTime: 1_700_000_000_000 + seq,
});

describe("check log", () => {
  it("begins with Begin and adds the tips of Normal (CK001, CK002)", () => {
    const log = applyMessages(emptyLog, [message(1, "Begin", ""), message(2, "Normal", "读取几何")]);
    expect(log.phase).toBe("checking");
    expect(log.lines.map((l) => l.text)).toEqual(["读取几何"]);
  });

  it("ignores the tip 'checking' (CK003)", () => {
    expect(
      applyMessages(emptyLog, [message(1, "Begin", ""), message(2, "Normal", "checking")]).lines,
    ).toEqual([]);
  });

  it("shows a message once, however often and by whichever way it comes (AM060)", () => {
    const twice = [
      message(2, "Normal", "读取几何"),
      message(3, "Normal", "统计"),
      message(2, "Normal", "读取几何"),
    ];
    const log = applyMessages(applyMessages(emptyLog, twice), twice);
    expect(log.lines.map((l) => l.text)).toEqual(["读取几何", "统计"]);
  });

  it("keeps the order of the numbers when a poll brings what push has missed", () => {
    const log = applyMessages(emptyLog, [
      message(5, "Normal", "第五"),
      message(3, "Normal", "第三"),
      message(4, "Normal", "第四"),
    ]);
    expect(log.lines.map((l) => l.text)).toEqual(["第三", "第四", "第五"]);
  });

  it("ends with Success, whose tip is the recommendation (CK004)", () => {
    const log = applyMessages(emptyLog, [message(1, "Begin", ""), message(2, "Success", "建议轻量化")]);
    expect(log).toMatchObject({ phase: "complete", verdict: "建议轻量化", lines: [] });
  });

  it("ends with Error, and a late Normal does not revive it (CK007)", () => {
    const log = applyMessages(emptyLog, [message(4, "Error", "文件损坏"), message(3, "Normal", "迟到")]);
    expect(log.phase).toBe("error");
    expect(log.verdict).toBe("文件损坏");
    expect(log.lines.map((l) => l.text)).toEqual(["迟到"]);
  });

  it("gathers size, format, animation and the number of models", () => {
    const log = applyMessage(emptyLog, {
      ...message(1, "Begin", ""),
      fileSize: 1024,
      format: "glb",
      animation: true,
      modelNum: 2,
    });
    expect(log.facts).toEqual({ fileSize: 1024, format: "glb", animated: true, modelNum: 2 });
  });
});

describe("recommendation", () => {
  it("ends with a full stop before another sentence follows", () => {
    expect(sentence("加快网页加载")).toBe("加快网页加载。");
    expect(sentence("模型可以正常使用。")).toBe("模型可以正常使用。");
  });
  it("carries the link from 100 MB on, and for every scene (CK005, CK006)", () => {
    expect(recommendsLightweight(100 * 1_048_576, "object")).toBe(true);
    expect(recommendsLightweight(99 * 1_048_576, "object")).toBe(false);
    expect(recommendsLightweight(1, "scene")).toBe(true);
  });
});

describe("error tips", () => {
  it("turn the three words into links and leave the rest alone (CK008 to CK010)", () => {
    expect(splitTip("请查看支持的格式，或申诉、联系客服。")).toEqual([
      { text: "请查看" },
      { text: "支持的格式", link: "formats" },
      { text: "，或" },
      { text: "申诉", link: "appeal" },
      { text: "、" },
      { text: "联系客服", link: "service" },
      { text: "。" },
    ]);
    expect(splitTip("<b>无</b>")).toEqual([{ text: "<b>无</b>" }]);
    expect(splitTip("")).toEqual([]);
  });
});
