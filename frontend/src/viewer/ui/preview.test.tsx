import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { findings } from "@/test/axe";
import { renderPage } from "@/test/render";
import { standIn } from "@/test/standIn";
import { idle } from "../engine/state";
import { Store } from "../engine/store";
import { ModelPreview } from "./ModelPreview";

// jsdom draws nothing: this is what the preview needs of a viewer
class Still {
  static clips: { name: string; seconds: number }[] = [];
  static made: Still | undefined;
  readonly state = new Store({ ...idle, phase: "ready" as const, shown: true });
  readonly stage = { fit: "square", reset: vi.fn() };
  readonly animation = {
    state: new Store({ clips: Still.clips, playing: false }),
    toggle: () => this.animation.state.set({ playing: !this.animation.state.get().playing }),
  };
  constructor() {
    Still.made = this;
  }
  playFirst() {
    if (Still.clips.length > 0) this.animation.state.set({ playing: true });
  }
  attach() {}
  async load() {}
  dispose() {}
}
vi.mock("./loadViewer", () => ({ loadViewer: async () => ({ Viewer: Still }) }));

it("a preview that the user opens has the focus, plays, and has its few tools", async () => {
  Still.clips = [{ name: "走", seconds: 2 }];
  standIn(document, "fullscreenEnabled", true);
  const whole = vi.fn(async () => undefined);
  standIn(HTMLElement.prototype, "requestFullscreen", whole);
  const { user } = renderPage(<ModelPreview live url="/m.glb" name="狐狸" />);
  expect(screen.getByRole("application", { name: "三维预览：狐狸" })).toHaveFocus();
  await user.click(await screen.findByRole("button", { name: "暂停" }));
  expect(await screen.findByRole("button", { name: "播放" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "复位" }));
  expect(Still.made?.stage.reset).toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "全屏" }));
  expect(whole).toHaveBeenCalled();
  expect(await findings()).toEqual([]);
});

it("a model that does not move has nothing to play, and other previews have no tools", async () => {
  Still.clips = [];
  renderPage(<ModelPreview live url="/m.glb" name="箱子" />);
  expect(await screen.findByRole("button", { name: "复位" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /播放|暂停|全屏/ })).toBeNull();
  Still.made = undefined;
  renderPage(<ModelPreview url="/m.glb" name="柜子" />);
  await waitFor(() => expect(Still.made).toBeDefined());
  expect(screen.getAllByRole("group", { name: "查看工具" })).toHaveLength(1);
});
