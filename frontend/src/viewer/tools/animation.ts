import { type AnimationAction, type AnimationClip, AnimationMixer, type Group, LoopRepeat } from "three";
import { Store } from "../engine/store";
import type { ToolHost, ViewerTool } from "../engine/tool";

export interface AnimationState {
  clips: { name: string; seconds: number }[];
  index: number;
  playing: boolean;
  /** seconds into the clip */
  time: number;
  speed: number;
}

const none: AnimationState = { clips: [], index: 0, playing: false, time: 0, speed: 1 };

/** Plays one clip at a time, in a loop; supports pause, seeking and speed. */
export class AnimationTool implements ViewerTool {
  readonly state = new Store<AnimationState>(none);
  /** without a name, `open` takes the first clip */
  opensFirst = false;
  private mixer: AnimationMixer | undefined;
  private action: AnimationAction | undefined;
  private clips: readonly AnimationClip[] = [];

  constructor(private readonly viewer: ToolHost) {}

  modelChanged(model: Group, clips: readonly AnimationClip[]): void {
    this.clips = clips.filter((clip) => clip.duration > 0 && clip.tracks.length > 0);
    const first = this.clips[0];
    this.state.set({
      ...none,
      speed: this.state.get().speed,
      clips: this.clips.map((clip, i) => ({ name: clip.name || `动画 ${i + 1}`, seconds: clip.duration })),
    });
    if (!first) return;
    this.mixer = new AnimationMixer(model);
    this.choose(0);
  }

  modelRemoved(): void {
    this.mixer?.stopAllAction();
    this.mixer = undefined;
    this.action = undefined;
    this.clips = [];
    this.state.set({ ...none, speed: this.state.get().speed });
  }

  choose(index: number): void {
    const clip = this.clips[index];
    if (!clip || !this.mixer) return;
    this.action?.stop();
    this.action = this.mixer.clipAction(clip);
    this.action.setLoop(LoopRepeat, Number.POSITIVE_INFINITY);
    this.action.play();
    this.state.set({ index, time: 0 });
    this.seek(0);
  }

  /** Selects the clip of this name, if there is one; playing, or paused at its start. */
  open(name: string | undefined, playing: boolean): void {
    const { clips, index, playing: plays } = this.state.get();
    const first = name === undefined && this.opensFirst;
    const wanted = first ? 0 : clips.findIndex((clip) => clip.name === name);
    if (!clips[wanted]) return;
    if (wanted !== index) this.choose(wanted);
    if (playing && !plays) this.toggle();
  }

  toggle(): void {
    if (!this.action) return;
    this.state.set({ playing: !this.state.get().playing });
    this.viewer.stage.invalidate();
  }

  seek(seconds: number): void {
    if (!this.action || !this.mixer) return;
    this.action.time = Math.max(0, Math.min(seconds, this.action.getClip().duration));
    this.mixer.update(0);
    this.moved();
    this.state.set({ time: this.action.time });
    this.viewer.stage.invalidate();
  }

  setSpeed(speed: number): void {
    this.state.set({ speed });
  }

  tick(seconds: number): boolean {
    const { playing, speed } = this.state.get();
    if (!playing || !this.mixer || !this.action) return false;
    this.mixer.update(seconds * speed);
    this.moved();
    this.state.set({ time: this.action.time });
    return true;
  }

  private moved(): void {
    // a heavy model keeps the shadow of its rest pose: redrawing it each frame would halve the rate
    if ((this.viewer.state.get().statistics?.triangles ?? 0) < 300_000) this.viewer.stage.shadow.dirty = true;
  }

  dispose(): void {
    this.modelRemoved();
  }
}
