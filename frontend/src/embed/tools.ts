import { el, icon, icons } from "@/lib/dom";
import type { Viewer } from "@/viewer/engine/Viewer";
import type { Manifest } from "./manifest";

const CAMERA = "M4 8h3l2-3h6l2 3h3v11H4zM12 10.5a3 3 0 100 6 3 3 0 000-6z";

interface Tool {
  name: string;
  path: string;
  act(): void;
  /** whether it is available here */
  here?(): boolean;
}

/** Adds the buttons selected by the share's owner; returns a function that removes them. */
export function fillTools(viewer: Viewer, { options, name }: Manifest): () => void {
  const bar = document.getElementById("tools");
  if (!bar) return () => undefined;
  const { animation, wireframe } = viewer;
  const all: Record<string, Tool> = {
    reset: { name: "复位", path: icons.reset, act: () => viewer.stage.reset() },
    animation: {
      name: "播放动画",
      path: icons.play,
      act: () => animation.toggle(),
      here: () => animation.state.get().clips.length > 0,
    },
    wireframe: { name: "线框", path: icons.wireframe, act: () => wireframe.next() },
    screenshot: { name: "保存截图", path: CAMERA, act: () => void viewer.screenshot(`${name}.png`) },
    fullscreen: {
      name: "全屏",
      path: icons.fullscreen,
      act: toggleFullscreen,
      here: () => document.fullscreenEnabled,
    },
  };
  const chosen = options?.tools ?? Object.keys(all);
  const buttons = Object.entries(all)
    .filter(([id]) => chosen.includes(id))
    .map(([id, tool]) => {
      const button = el(
        "button",
        { type: "button", title: tool.name, "aria-label": tool.name },
        icon(tool.path),
      );
      button.addEventListener("click", tool.act);
      return { id, tool, button };
    });
  const show = () => {
    for (const { id, tool, button } of buttons) {
      button.hidden = tool.here?.() === false;
      if (id === "wireframe")
        button.setAttribute("aria-pressed", String(wireframe.state.get().mode !== "off"));
      if (id === "animation") {
        const { playing } = animation.state.get();
        const shown = playing ? "暂停动画" : "播放动画";
        if (button.title === shown) continue;
        button.title = shown;
        button.setAttribute("aria-label", shown);
        button.replaceChildren(icon(playing ? icons.pause : icons.play));
      }
    }
    bar.hidden = buttons.every(({ button }) => button.hidden);
  };
  bar.replaceChildren(...buttons.map(({ button }) => button));
  const stops = [animation.state.subscribe(show), wireframe.state.subscribe(show)];
  show();
  return () => {
    for (const stop of stops) stop();
    bar.replaceChildren();
    bar.hidden = true;
  };
}

function toggleFullscreen(): void {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  done.catch(() => undefined);
}
