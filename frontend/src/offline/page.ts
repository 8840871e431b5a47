import { el, icon, icons } from "@/lib/dom";
import { formatBytes } from "@/ui/bytes";
import { formatLength } from "@/viewer/engine/format";
import type { AnimationState } from "@/viewer/tools/animation";
import type { WireframeMode } from "@/viewer/tools/wireframe";
import { backdropLabels } from "@/viewer/ui/labels";
import type { OfflineViewer } from "./OfflineViewer";

const wireframeNames: Record<WireframeMode, string> = { off: "线框", overlay: "叠加", only: "仅线框" };
const backdrops = Object.keys(backdropLabels) as (keyof typeof backdropLabels)[];
const NARROW = 720;
const TURN = Math.PI / 18;

/** Rail, statistics and timeline over the stage. */
export function buildPage(viewer: OfflineViewer, holder: HTMLElement, bytes: number): void {
  const facts = factsPanel(viewer, bytes);
  const info = button("数据", icons.facts, () => toggleFacts());
  const toggleFacts = (shown = facts.hidden) => {
    facts.hidden = !shown;
    info.setAttribute("aria-pressed", String(shown));
  };
  toggleFacts(window.innerWidth >= NARROW);
  holder.append(rail(viewer, info), facts, timeline(viewer));
  listenToKeys(viewer, () => toggleFacts());
}

function button(name: string, path: string, act: () => void): HTMLButtonElement {
  const made = el("button", { type: "button" }, icon(path), el("span", {}, name));
  made.addEventListener("click", act);
  return made;
}

function rail(viewer: OfflineViewer, info: HTMLElement): HTMLElement {
  const wireframe = button("线框", icons.wireframe, () => viewer.wireframe.next());
  const show = () => {
    const { mode } = viewer.wireframe.state.get();
    wireframe.setAttribute("aria-pressed", String(mode !== "off"));
    wireframe.lastElementChild?.replaceChildren(wireframeNames[mode]);
  };
  viewer.wireframe.state.subscribe(show);
  show();
  const made = el(
    "nav",
    { "aria-label": "工具" },
    button("复位", icons.reset, () => viewer.stage.reset()),
    wireframe,
    button("背景", icons.backdrop, () => nextBackdrop(viewer)),
    info,
  );
  if (document.fullscreenEnabled) made.append(button("全屏", icons.fullscreen, toggleFullscreen));
  return made;
}

function nextBackdrop(viewer: OfflineViewer): void {
  const at = backdrops.indexOf(viewer.environment.state.get().backdrop);
  viewer.environment.set({ backdrop: backdrops[(at + 1) % backdrops.length] });
}

function toggleFullscreen(): void {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  done.catch(() => undefined);
}

function factsPanel(viewer: OfflineViewer, bytes: number): HTMLElement {
  const list = el("dl");
  const panel = el("aside", { "aria-label": "模型数据" }, el("h2", {}, "模型数据"), list);
  const show = () => {
    const { statistics: s } = viewer.state.get();
    if (!s) return;
    const count = (n: number) => n.toLocaleString("zh-CN");
    const clips = viewer.animation.state.get().clips.length;
    const rows: [string, string][] = [
      ["三角面", count(s.triangles)],
      ["顶点", count(s.vertices)],
      ["网格", count(s.meshes)],
      ["材质", count(s.materials)],
      ["贴图", count(s.textures)],
    ];
    if (s.lines > 0) rows.push(["线段", count(s.lines)]);
    if (s.points > 0) rows.push(["点", count(s.points)]);
    if (clips > 0) rows.push(["动画", `${clips} 段`]);
    rows.push(["尺寸", s.size.map(formatLength).join(" × ")], ["模型体积", formatBytes(bytes)]);
    list.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  };
  viewer.state.subscribe(show);
  show();
  return panel;
}

function timeline(viewer: OfflineViewer): HTMLElement {
  const tool = viewer.animation;
  const play = el("button", { type: "button" });
  play.addEventListener("click", () => tool.toggle());
  const clip = el("select", { "aria-label": "动画片段" });
  clip.addEventListener("change", () => tool.choose(clip.selectedIndex));
  const time = el("input", { type: "range", min: "0", step: "0.01", "aria-label": "播放位置" });
  time.addEventListener("input", () => tool.seek(Number(time.value)));
  const output = el("output");
  const bar = el("section", { "aria-label": "动画" }, play, clip, time, output);
  let shown: AnimationState | undefined;
  const show = () => {
    const now = tool.state.get();
    const seconds = now.clips[now.index]?.seconds ?? 0;
    bar.hidden = now.clips.length === 0;
    if (now.clips !== shown?.clips) {
      clip.replaceChildren(...now.clips.map(({ name }) => el("option", {}, name)));
      clip.hidden = now.clips.length < 2;
    }
    if (now.playing !== shown?.playing) {
      play.replaceChildren(icon(now.playing ? icons.pause : icons.play));
      play.setAttribute("aria-label", now.playing ? "暂停" : "播放");
    }
    clip.selectedIndex = now.index;
    time.max = String(seconds);
    time.value = String(now.time);
    output.value = `${now.time.toFixed(1)} / ${seconds.toFixed(1)} 秒`;
    shown = now;
  };
  tool.state.subscribe(show);
  show();
  return bar;
}

function listenToKeys(viewer: OfflineViewer, toggleFacts: () => void): void {
  const { controls } = viewer.stage;
  const turn = (azimuth: number, polar: number) => {
    void controls.rotate(azimuth, polar, true);
    viewer.stage.invalidate();
  };
  const zoom = (factor: number) => {
    void controls.dollyTo(controls.distance * factor, true);
    viewer.stage.invalidate();
  };
  const acts = new Map<string, () => void>([
    ["ArrowLeft", () => turn(-TURN, 0)],
    ["ArrowRight", () => turn(TURN, 0)],
    ["ArrowUp", () => turn(0, -TURN)],
    ["ArrowDown", () => turn(0, TURN)],
    ["+", () => zoom(0.85)],
    ["=", () => zoom(0.85)],
    ["-", () => zoom(1 / 0.85)],
    ["r", () => viewer.stage.reset()],
    ["w", () => viewer.wireframe.next()],
    ["s", toggleFacts],
    ["f", toggleFullscreen],
    [" ", () => viewer.animation.toggle()],
  ]);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // sliders, lists and buttons handle their own keys
    if ((event.target as Element | null)?.closest?.("input, select, button")) return;
    const act = acts.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!act) return;
    act();
    event.preventDefault();
  });
}
