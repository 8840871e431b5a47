import { AnimationClip, Group, NumberKeyframeTrack } from "three";
import { expect, it } from "vitest";
import type { ToolHost } from "../engine/tool";
import { AnimationTool } from "./animation";

const host = {
  stage: { invalidate: () => undefined, shadow: { dirty: false } },
  state: { get: () => ({}) },
} as unknown as ToolHost;
const clip = (name: string) =>
  new AnimationClip(name, 2, [new NumberKeyframeTrack(".position[x]", [0, 2], [0, 1])]);

function opened(first: boolean, playing: boolean): AnimationTool {
  const tool = new AnimationTool(host);
  tool.opensFirst = first;
  tool.modelChanged(new Group(), [clip("走"), clip("跑")]);
  tool.open(undefined, playing);
  return tool;
}

it("plays the first clip where no clip is named and the page wants one", () => {
  const tool = opened(true, true);
  expect(tool.state.get()).toMatchObject({ index: 0, playing: true });
  expect(tool.tick(0.5)).toBe(true);
  expect(tool.state.get().time).toBe(0.5);
  tool.open("跑", true);
  expect(tool.state.get().index).toBe(1);
});

it("stays at rest for those who ask for none, and where the maker has chosen no clip", () => {
  expect(opened(true, false).state.get().playing).toBe(false);
  expect(opened(false, true).state.get().playing).toBe(false);
});

it("a model without clips has nothing to play", () => {
  const tool = new AnimationTool(host);
  tool.opensFirst = true;
  tool.modelChanged(new Group(), []);
  tool.open(undefined, true);
  expect(tool.state.get()).toMatchObject({ clips: [], playing: false });
});
