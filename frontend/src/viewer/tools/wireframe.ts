import { type Group, type Material, Mesh, MeshBasicMaterial, SkinnedMesh } from "three";
import { isMesh, materialsOf } from "../engine/loader";
import { Store } from "../engine/store";
import type { ToolHost, ViewerTool } from "../engine/tool";

export type WireframeMode = "off" | "overlay" | "only";

const order: readonly WireframeMode[] = ["off", "overlay", "only"];

/** Edges over the shaded model, or edges only. The overlay shares the model's geometry, so it costs no copy. */
export class WireframeTool implements ViewerTool {
  readonly state = new Store<{ mode: WireframeMode }>({ mode: "off" });
  private readonly overlays: Mesh[] = [];
  private readonly hidden = new Map<Material, boolean>();
  private readonly ink = new MeshBasicMaterial({
    color: 0x35c9c3,
    wireframe: true,
    transparent: true,
    opacity: 0.38,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    toneMapped: false,
  });
  private model: Group | undefined;

  constructor(private readonly viewer: ToolHost) {}

  next(): void {
    const at = order.indexOf(this.state.get().mode);
    this.set(order[(at + 1) % order.length] ?? "off");
  }

  set(mode: WireframeMode): void {
    this.strip();
    if (mode !== "off" && this.model) this.dress(this.model, mode);
    this.state.set({ mode });
    this.viewer.stage.invalidate();
  }

  private dress(model: Group, mode: WireframeMode): void {
    // a dense mesh would turn into one flat colour
    const triangles = this.viewer.state.get().statistics?.triangles ?? 0;
    const thin = Math.min(1, Math.max(0.25, Math.sqrt(100_000 / Math.max(1, triangles))));
    this.ink.opacity = (mode === "only" ? 0.85 : 0.38) * thin;
    this.ink.clippingPlanes = this.viewer.clipping;
    this.ink.needsUpdate = true;
    const meshes: Mesh[] = [];
    model.traverse((node) => {
      if (isMesh(node) && node.userData.helper !== true) meshes.push(node);
    });
    for (const mesh of meshes) {
      const overlay = this.overlayOf(mesh);
      overlay.morphTargetInfluences = mesh.morphTargetInfluences;
      overlay.userData.helper = true;
      overlay.raycast = () => undefined;
      overlay.renderOrder = 1;
      // the contact shadow only uses layer 0, or edges would darken it twice
      overlay.layers.set(1);
      mesh.add(overlay);
      this.overlays.push(overlay);
      if (mode !== "only") continue;
      for (const material of materialsOf(mesh)) {
        if (!this.hidden.has(material)) this.hidden.set(material, material.visible);
        material.visible = false;
      }
    }
    this.viewer.stage.shadow.dirty = true;
  }

  private overlayOf(mesh: Mesh): Mesh {
    const skinned = mesh as SkinnedMesh;
    if (!skinned.isSkinnedMesh) return new Mesh(mesh.geometry, this.ink);
    const overlay = new SkinnedMesh(mesh.geometry, this.ink);
    overlay.bind(skinned.skeleton, skinned.bindMatrix);
    return overlay;
  }

  private strip(): void {
    for (const overlay of this.overlays) overlay.removeFromParent();
    this.overlays.length = 0;
    for (const [material, visible] of this.hidden) material.visible = visible;
    this.hidden.clear();
    this.viewer.stage.shadow.dirty = true;
  }

  modelChanged(model: Group): void {
    this.model = model;
    this.set(this.state.get().mode);
  }

  modelRemoved(): void {
    this.strip();
    this.model = undefined;
  }

  dispose(): void {
    this.strip();
    this.ink.dispose();
  }
}
