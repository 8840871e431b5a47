import type { KeyboardEvent } from "react";
import type { Viewer } from "../engine/Viewer";
import { moveCamera } from "./stageKeys";
import type { RailActions } from "./ToolRail";

export const shortcutList: readonly (readonly [keys: string, what: string])[] = [
  ["拖动 / 右键拖动 / 滚轮", "旋转 / 平移 / 缩放"],
  ["双击", "以所点位置为中心，空白处复位"],
  ["← → ↑ ↓", "旋转视角"],
  ["Shift + ← → ↑ ↓", "平移视角"],
  ["+ −", "放大、缩小"],
  ["R", "复位视角"],
  ["W", "线框：叠加、仅线框、关闭"],
  ["G", "网格与坐标轴"],
  ["I", "查看部件"],
  ["M", "测量距离"],
  ["X", "剖切"],
  ["E", "爆炸图"],
  ["空格", "播放、暂停动画"],
  ["L", "光照与背景"],
  ["P", "保存截图"],
  ["F", "全屏"],
  ["S", "模型信息"],
  ["Esc", "退出当前工具"],
];

/** Handles a key pressed while the stage has the focus; returns whether it did. */
export function handleKey(event: KeyboardEvent, viewer: Viewer, actions: RailActions): boolean {
  const { key } = event;
  if (moveCamera(event, viewer.stage)) return true;
  const steps = new Map<string, () => void>([
    ["w", () => viewer.wireframe.next()],
    ["g", () => viewer.grid.toggle()],
    ["i", () => viewer.inspect.toggle()],
    ["m", () => viewer.measure.toggle()],
    ["x", () => viewer.section.toggle()],
    ["e", () => viewer.explode.state.get().parts > 1 && viewer.explode.toggle()],
    [" ", () => viewer.animation.toggle()],
    ["l", actions.toggleLight],
    ["p", actions.screenshot],
    ["f", actions.toggleFullscreen],
    ["s", actions.toggleFacts],
    ["?", actions.toggleHelp],
  ]);
  if (key === "Escape") return viewer.cancel();
  const step = steps.get(key.length === 1 ? key.toLowerCase() : key);
  if (!step) return false;
  step();
  return true;
}
