import type { Backdrop } from "../engine/backdrop";
import type { StudioPreset } from "../engine/presets";
import type { ToneMap } from "../engine/stage";
import { Store } from "../engine/store";
import type { ToolHost, ViewerTool } from "../engine/tool";

export interface EnvironmentState {
  preset: StudioPreset;
  backdrop: Backdrop;
  /** 1 is neutral */
  exposure: number;
  /** degrees */
  turn: number;
  toneMap: ToneMap;
  shadow: boolean;
}

export class EnvironmentTool implements ViewerTool {
  readonly state = new Store<EnvironmentState>({
    preset: "studio",
    backdrop: "dark",
    exposure: 1,
    turn: 0,
    toneMap: "neutral",
    shadow: true,
  });

  constructor(private readonly viewer: ToolHost) {}

  set(change: Partial<EnvironmentState>): void {
    const before = this.state.get();
    this.state.set(change);
    const now = this.state.get();
    const { stage } = this.viewer;
    if (now.preset !== before.preset) stage.setStudio(now.preset);
    if (now.backdrop !== before.backdrop) stage.setBackdrop(now.backdrop);
    if (now.exposure !== before.exposure) stage.setExposure(now.exposure);
    if (now.turn !== before.turn) stage.setLightTurn((now.turn * Math.PI) / 180);
    if (now.toneMap !== before.toneMap) stage.setToneMap(now.toneMap);
    if (now.shadow !== before.shadow) {
      stage.shadow.group.visible = now.shadow;
      stage.shadow.dirty = true;
      stage.invalidate();
    }
  }

  dispose(): void {
    // the stage frees what it created
  }
}
