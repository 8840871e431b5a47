import { TilesRenderer } from "3d-tiles-renderer/three";
import { BoxGeometry, Group, Matrix4, Mesh, type Object3D } from "three";
import { saveImage } from "../tools/screenshot";
import { TileArchive } from "./archive";
import { faultOf } from "./errors";
import { type Decoders, decodeInWorkers, isMesh, makeDecoders, makeGltfLoader } from "./loader";
import { Stage } from "./stage";
import { idle, type ViewerState } from "./state";
import { Store } from "./store";

/** Figures shown beside the canvas. */
export interface TilesFigures {
  /** tiles visible */
  visible: number;
  /** tiles being loaded */
  loading: number;
  triangles: number;
}

/** Base URL of the tiles inside the archive; never requested. */
const INSIDE = "https://archive.invalid/in/";

/** Tiles are Z up in their own frame; the stage is Y up. */
const TURN = new Matrix4().makeRotationX(-Math.PI / 2);

/** GPU memory for tiles, in bytes. */
const MOST_BYTES = 512 * 1_048_576;

/** Shows a tileset: tiles the camera needs are loaded, others are released. */
export class TilesViewer {
  readonly state = new Store<ViewerState>(idle);
  readonly figures = new Store<TilesFigures>({ visible: 0, loading: 0, triangles: 0 });
  readonly canvas = document.createElement("canvas");
  readonly stage: Stage;
  private readonly decoders: Decoders;
  /** from the tileset's own frame to the stage */
  private readonly place = new Group();
  private tiles: TilesRenderer | undefined;
  private loading = new AbortController();

  constructor(holder: HTMLElement) {
    this.canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none";
    holder.append(this.canvas);
    this.stage = new Stage(this.canvas);
    // small files, but many of them
    decodeInWorkers();
    this.decoders = makeDecoders(this.stage.renderer);
    this.stage.shadow.group.visible = false;
    this.place.matrixAutoUpdate = false;
    this.stage.scene.add(this.place);
    this.stage.tickers.add(this.tick);
    this.stage.onLost = () => this.state.set({ phase: "failed", fault: "lost" });
  }

  async load(url: string): Promise<void> {
    this.loading.abort();
    this.clear();
    this.loading = new AbortController();
    const { signal } = this.loading;
    this.state.set({
      phase: "loading",
      fault: undefined,
      shown: false,
      readyIn: undefined,
      turnableIn: undefined,
    });
    const started = performance.now();
    try {
      const archive = await TileArchive.open(url, signal);
      const text = new TextDecoder().decode(await archive.read("tileset.json", signal));
      const { root } = JSON.parse(text) as { root: RootTile };
      if (signal.aborted) return;
      this.stand(root);
      this.tiles = this.renderer(archive, signal);
      this.tiles.addEventListener("load-model", () => {
        if (!this.state.get().shown) {
          this.state.set({ phase: "ready", shown: true, readyIn: performance.now() - started });
        }
        this.stage.invalidate();
      });
      this.tiles.addEventListener("needs-update", this.stage.invalidate);
      this.tiles.addEventListener("tiles-load-end", this.stage.invalidate);
      this.tiles.addEventListener("load-error", ({ error }: { error: Error }) => {
        // One missing tile is no reason to remove the others.
        if (!this.state.get().shown) this.fail(error, signal);
      });
      this.place.add(this.tiles.group);
      this.stage.invalidate();
    } catch (error) {
      this.fail(error, signal);
    }
  }

  private fail(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.state.set({ phase: "failed", fault: faultOf(error) });
  }

  private renderer(archive: TileArchive, signal: AbortSignal): TilesRenderer {
    const tiles = new TilesRenderer(`${INSIDE}tileset.json`);
    tiles.registerPlugin({
      name: "ARCHIVE",
      fetchData: async (asked: string, options: { signal?: AbortSignal }) => {
        const path = decodeURIComponent(asked.slice(INSIDE.length));
        const until = options?.signal ? AbortSignal.any([signal, options.signal]) : signal;
        const bytes = await archive.read(path, until);
        return new Response(bytes.slice());
      },
    });
    tiles.manager.addHandler(/\.(gltf|glb)$/, makeGltfLoader(this.decoders, tiles.manager));
    tiles.lruCache.maxBytesSize = MOST_BYTES;
    tiles.lruCache.minBytesSize = MOST_BYTES / 2;
    return tiles;
  }

  /** Moves the tileset to the centre of the stage, upright, wherever on Earth it is. */
  private stand(root: RootTile): void {
    const own = new Matrix4();
    if (root.transform) own.fromArray(root.transform);
    this.place.matrix.copy(own.invert().premultiply(TURN));
    this.place.matrixWorldNeedsUpdate = true;
    const [x = 0, y = 0, z = 0, a = 1, , , , b = 1, , , , c = 1] = root.boundingVolume.box ?? [];
    const box = new Mesh(new BoxGeometry(2 * a, 2 * b, 2 * c));
    box.position.set(x, y, z);
    const turned = new Group();
    turned.applyMatrix4(TURN);
    turned.add(box);
    turned.updateMatrixWorld(true);
    this.stage.frameSubject([turned]);
    box.geometry.dispose();
    this.stage.reset(false);
  }

  private tick = (): boolean => {
    const tiles = this.tiles;
    if (!tiles) return false;
    const { camera, renderer } = this.stage;
    tiles.setCamera(camera);
    tiles.setResolutionFromRenderer(camera, renderer);
    tiles.update();
    let triangles = 0;
    tiles.forEachLoadedModel((scene, tile) => {
      if (tiles.visibleTiles.has(tile)) triangles += trianglesOf(scene);
    });
    const busy = tiles.loadProgress < 1;
    this.figures.set({ visible: tiles.visibleTiles.size, loading: busy ? 1 : 0, triangles });
    return busy;
  };

  /** Tolerated error in pixels: less is finer. */
  setDetail(pixels: number): void {
    if (this.tiles) this.tiles.errorTarget = pixels;
    this.stage.invalidate();
  }

  screenshot(name: string): Promise<void> {
    return saveImage(this.stage, name);
  }

  private clear(): void {
    this.tiles?.dispose();
    this.tiles?.group.removeFromParent();
    this.tiles = undefined;
  }

  dispose(): void {
    this.loading.abort();
    this.clear();
    this.decoders.dispose();
    this.stage.dispose();
    this.canvas.remove();
  }
}

interface RootTile {
  transform?: number[];
  boundingVolume: { box?: number[] };
}

function trianglesOf(scene: Object3D): number {
  let count = 0;
  scene.traverse((node) => {
    if (!isMesh(node)) return;
    const { index, attributes } = node.geometry;
    count += (index?.count ?? attributes.position?.count ?? 0) / 3;
  });
  return count;
}
