import { type AnimationClip, Group, type Plane, Vector3 } from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { painted } from "@/lib/painted";
import {
  type AmrtHead,
  type AmrtLevel,
  coarseLevel,
  fullLevel,
  levelToGlb,
  readHead,
} from "@/viewer/engine/amrt";
import { ViewerError } from "@/viewer/engine/errors";
import { disposeTree } from "@/viewer/engine/loader";
import { Stage } from "@/viewer/engine/stage";
import { type ModelStatistics, measureModel } from "@/viewer/engine/statistics";
import { Store } from "@/viewer/engine/store";
import type { ToolHost } from "@/viewer/engine/tool";
import { AnimationTool } from "@/viewer/tools/animation";
import { EnvironmentTool } from "@/viewer/tools/environment";
import { WireframeTool } from "@/viewer/tools/wireframe";

/**
 * The viewer of an offline package: the site's stage with the tools that need no triangle index. It makes no network
 * requests; a package contains neither Draco streams nor KTX2, so their decoders are left out.
 */
export class OfflineViewer implements ToolHost {
  readonly state = new Store<{ statistics: ModelStatistics | undefined }>({ statistics: undefined });
  readonly stage: Stage;
  readonly clipping: Plane[] = [];
  readonly wireframe = new WireframeTool(this);
  readonly animation = new AnimationTool(this);
  readonly environment = new EnvironmentTool(this);

  private readonly model = new Group();
  private readonly gltf = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  private root: Group | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    this.stage.scene.add(this.model);
    this.stage.tickers.add((seconds) => this.animation.tick(seconds));
  }

  /** Shows the coarse copy as soon as it can be drawn, then the model. */
  async load(bytes: Uint8Array): Promise<void> {
    const head = readHead(bytes);
    if (!head) throw new ViewerError("broken");
    const coarse = coarseLevel(head);
    // a broken copy alone does not matter
    if (coarse) await this.put(bytes, head, coarse).then(painted, () => undefined);
    await this.put(bytes, head, fullLevel(head));
    const statistics = measureModel(this.model);
    if (statistics.triangles + statistics.lines + statistics.points === 0) throw new ViewerError("empty");
    const size = this.stage.bounds.getSize(new Vector3());
    statistics.size = [size.x, size.y, size.z];
    this.state.set({ statistics });
  }

  private async put(bytes: Uint8Array, head: AmrtHead, level: AmrtLevel): Promise<void> {
    const glb = await levelToGlb(bytes, head, level);
    let parsed: { scene: Group; animations: AnimationClip[] };
    try {
      parsed = await this.gltf.parseAsync(glb, "");
    } catch (error) {
      throw new ViewerError(error instanceof RangeError ? "memory" : "broken", error);
    }
    this.show(parsed.scene, parsed.animations);
  }

  private show(root: Group, clips: AnimationClip[]): void {
    const first = this.root === undefined;
    if (this.root) {
      this.wireframe.modelRemoved();
      this.animation.modelRemoved();
      this.model.remove(this.root);
      disposeTree(this.root);
    }
    this.root = root;
    this.model.add(root);
    this.model.updateMatrixWorld(true);
    this.wireframe.modelChanged(this.model);
    this.animation.modelChanged(this.model, clips);
    this.stage.frameSubject([this.model]);
    if (first) this.stage.reset(false);
    this.stage.invalidate();
  }
}
