import {
  BufferGeometry,
  Line,
  LineBasicMaterial,
  type Material,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  type Vector3,
} from "three";
import { formatLength } from "../engine/format";
import type { Pick } from "../engine/picker";
import { Store } from "../engine/store";
import { type PickingState, PickingTool } from "./picking";

interface Measurement {
  from: Vector3;
  to: Vector3;
  line: Line<BufferGeometry, Material>;
  dots: Mesh[];
  label: HTMLSpanElement;
}

export interface MeasureState extends PickingState {
  /** the first point is set, the second one is pending */
  pending: boolean;
  /** metres, oldest first */
  lengths: number[];
}

/** Straight distances between points on the surface, in metres. */
export class MeasureTool extends PickingTool<MeasureState> {
  readonly state = new Store<MeasureState>({ active: false, preparing: false, pending: false, lengths: [] });
  private readonly done: Measurement[] = [];
  private first: { point: Vector3; dot: Mesh } | undefined;
  private readonly ball = new SphereGeometry(1, 20, 12);
  private readonly ink = new MeshBasicMaterial({ color: 0xe3b75e, depthTest: false, toneMapped: false });
  private readonly stroke = new LineBasicMaterial({ color: 0xe3b75e, depthTest: false, toneMapped: false });

  stop(): void {
    this.dropFirst();
    this.state.set({ active: false, pending: false });
  }

  clear(): void {
    for (const one of this.done) this.remove(one);
    this.done.length = 0;
    this.dropFirst();
    this.publish();
  }

  protected picked(hit: Pick | undefined): void {
    if (!hit) return;
    const dot = this.dot(hit.point);
    if (!this.first) {
      this.first = { point: hit.point, dot };
    } else {
      const from = this.first;
      this.first = undefined;
      this.done.push(this.connect(from.point, hit.point, [from.dot, dot]));
    }
    this.publish();
  }

  private connect(from: Vector3, to: Vector3, dots: Mesh[]): Measurement {
    const line = new Line(new BufferGeometry().setFromPoints([from, to]), this.stroke);
    line.renderOrder = 10;
    const label = document.createElement("span");
    label.textContent = formatLength(from.distanceTo(to));
    label.style.cssText =
      "position:absolute;left:0;top:0;padding:2px 8px;border-radius:4px;background:rgba(11,16,32,.86);border:1px solid #E3B75E;color:#E8ECF6;font:500 12px/18px inherit;font-variant-numeric:tabular-nums;white-space:nowrap;will-change:transform";
    this.viewer.labels.append(label);
    this.viewer.stage.helpers.add(line);
    return { from, to, line, dots, label };
  }

  private dot(at: Vector3): Mesh {
    const dot = new Mesh(this.ball, this.ink);
    dot.position.copy(at);
    dot.renderOrder = 11;
    this.viewer.stage.helpers.add(dot);
    return dot;
  }

  tick(): boolean {
    // dots keep their size on the screen, labels follow their line
    const { camera, canvas } = this.viewer.stage;
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, canvas.clientHeight);
    const dots = this.done.flatMap((one) => one.dots);
    if (this.first) dots.push(this.first.dot);
    for (const dot of dots) dot.scale.setScalar(camera.position.distanceTo(dot.position) * pixel * 4);
    for (const one of this.done) {
      const middle = this.viewer.project(one.from.clone().add(one.to).multiplyScalar(0.5));
      one.label.style.display = middle.visible ? "" : "none";
      one.label.style.transform = `translate(${middle.x.toFixed(1)}px,${middle.y.toFixed(1)}px) translate(-50%,-140%)`;
    }
    return false;
  }

  cancel(): boolean {
    if (this.first) {
      this.dropFirst();
      this.publish();
      return true;
    }
    if (!this.state.get().active) return false;
    this.stop();
    return true;
  }

  private dropFirst(): void {
    this.first?.dot.removeFromParent();
    this.first = undefined;
    this.viewer.stage.invalidate();
  }

  private remove(one: Measurement): void {
    one.line.removeFromParent();
    one.line.geometry.dispose();
    for (const dot of one.dots) dot.removeFromParent();
    one.label.remove();
  }

  private publish(): void {
    this.state.set({
      pending: this.first !== undefined,
      lengths: this.done.map((one) => one.from.distanceTo(one.to)),
    });
    this.viewer.stage.invalidate();
  }

  modelRemoved(): void {
    this.clear();
  }

  dispose(): void {
    this.clear();
    this.ball.dispose();
    this.ink.dispose();
    this.stroke.dispose();
  }
}
