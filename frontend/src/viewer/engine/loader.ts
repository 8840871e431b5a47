import {
  type AnimationClip,
  type Group,
  LoaderUtils,
  type LoadingManager,
  type Material,
  type Mesh,
  type Object3D,
  type Texture,
  type WebGLRenderer,
} from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { coarseLevel, endOfLevel, fullLevel, isAmrt, levelToGlb, readHead } from "./amrt";
import { ViewerError } from "./errors";
import { StrictKtx2Loader } from "./ktx2";
import type { FileMesh } from "./places";

export interface LoadedModel {
  root: Group;
  clips: AnimationClip[];
  /** the file's own counts; three.js creates more objects */
  counts: FileCounts;
  /** bytes received */
  bytes: number;
}

export interface LoadProgress {
  loaded: number;
  /** 0 while the server has not reported it */
  total: number;
}

export interface FileCounts {
  nodes: number;
  meshes: number;
  materials: number;
}

export interface LoadOptions {
  onProgress?: (progress: LoadProgress) => void;
  /** a coarse copy of the model while the rest is being loaded; the receiver disposes of it */
  onCoarse?: (model: LoadedModel) => void;
  /** the last byte has arrived, or none will */
  onReceived?: () => void;
}

let meshoptWorkers = false;

/** Bytes of a file from which workers decode it sooner than this thread, though they must start first. */
const WORTH_WORKERS = 1_048_576;

/** Buffer for a download of unknown size. */
const FIRST_BYTES = 1_048_576;
/** Most bytes allocated in advance, whatever a server announces. */
const MOST_AHEAD = 512 * 1_048_576;

export interface Decoders {
  draco: DRACOLoader;
  ktx2: StrictKtx2Loader;
  meshopt: typeof MeshoptDecoder;
  dispose(): void;
}

/** Draco and Basis textures are decoded in workers, with decoders served by this site; meshopt, once it is worth it. */
export function makeDecoders(renderer: WebGLRenderer): Decoders {
  const draco = new DRACOLoader().setWorkerLimit(2);
  const ktx2 = new StrictKtx2Loader().setWorkerLimit(2).detectSupport(renderer) as StrictKtx2Loader;
  const dispose = () => {
    draco.dispose();
    ktx2.dispose();
  };
  return { draco, ktx2, meshopt: MeshoptDecoder, dispose };
}

/** From now on meshopt is decoded beside this thread. */
export function decodeInWorkers(): void {
  if (meshoptWorkers || typeof Worker === "undefined") return;
  // biome-ignore lint/correctness/useHookAtTopLevel: the decoder's method, not a React hook
  MeshoptDecoder.useWorkers?.(2);
  meshoptWorkers = true;
}

export function makeGltfLoader(decoders: Decoders, manager?: LoadingManager): GLTFLoader {
  const loader = new GLTFLoader(manager);
  loader.setDRACOLoader(decoders.draco);
  loader.setKTX2Loader(decoders.ktx2);
  loader.setMeshoptDecoder(decoders.meshopt);
  return loader;
}

/** Reads GLB, glTF and AMRT; the browser decodes images off the main thread. */
export class ModelLoader {
  private readonly decoders: Decoders;
  private readonly gltf: GLTFLoader;

  constructor(
    renderer: WebGLRenderer,
    /** `force-cache`: reuses downloads even if their address has expired */
    private readonly cache: RequestCache = "default",
  ) {
    this.decoders = makeDecoders(renderer);
    this.gltf = makeGltfLoader(this.decoders);
  }

  async load(
    url: string,
    signal: AbortSignal,
    { onProgress, onCoarse, onReceived }: LoadOptions = {},
  ): Promise<LoadedModel> {
    const watch = onCoarse && this.coarse(signal, onCoarse);
    const bytes = await download(url, signal, this.cache, onProgress, watch).finally(onReceived);
    let glb = bytes.buffer;
    if (isAmrt(bytes)) {
      const head = readHead(bytes);
      if (!head) throw new ViewerError("broken");
      glb = await levelToGlb(bytes, head, fullLevel(head));
    }
    const model = await this.parse(glb, url, bytes.byteLength);
    if (signal.aborted) {
      disposeTree(model.root);
      throw new DOMException("aborted", "AbortError");
    }
    return model;
  }

  private async parse(glb: ArrayBuffer, url: string, bytes: number): Promise<LoadedModel> {
    if (glb.byteLength >= WORTH_WORKERS) decodeInWorkers();
    try {
      const parsed = await this.gltf.parseAsync(glb, LoaderUtils.extractUrlBase(url));
      const {
        nodes = [],
        meshes = [],
        materials = [],
      } = parsed.parser.json as Partial<Record<keyof FileCounts, { name?: string }[]>>;
      noteMeshes(parsed.parser.associations, meshes);
      const counts = { nodes: nodes.length, meshes: meshes.length, materials: materials.length };
      return { root: parsed.scene, clips: parsed.animations, counts, bytes };
    } catch (error) {
      throw new ViewerError(error instanceof RangeError ? "memory" : "broken", error);
    }
  }

  /**
   * Checks the received part of an AMRT, and passes on its coarse copy once. Errors are ignored here: they are reported
   * for the whole file.
   */
  private coarse(signal: AbortSignal, onCoarse: (model: LoadedModel) => void): (arrived: Uint8Array) => void {
    let done = false;
    const show = async (arrived: Uint8Array): Promise<void> => {
      const head = readHead(arrived);
      const level = head && coarseLevel(head);
      if (!head) return;
      if (level && endOfLevel(head, level) > arrived.length) return;
      done = true;
      if (!level) return;
      const glb = await levelToGlb(arrived, head, level);
      const model = await this.parse(glb, "", glb.byteLength);
      if (signal.aborted) disposeTree(model.root);
      else onCoarse(model);
    };
    return (arrived) => {
      const found = isAmrt(arrived);
      if (found === false) done = true;
      if (!done && found)
        show(arrived).catch(() => {
          done = true;
        });
    };
  }

  dispose(): void {
    this.decoders.dispose();
  }
}

/** Records for each object which mesh of the file it came from. Materials that the loader copied have no entry of their own. */
export function noteMeshes(
  made: ReadonlyMap<unknown, { meshes?: number } | undefined>,
  meshes: readonly { name?: string }[],
): void {
  for (const [object, from] of made) {
    if (from?.meshes === undefined || !(object as Object3D).isObject3D) continue;
    const fileMesh: FileMesh = { index: from.meshes, name: meshes[from.meshes]?.name ?? "" };
    (object as Object3D).userData.fileMesh = fileMesh;
  }
}

async function download(
  url: string,
  signal: AbortSignal,
  cache: RequestCache,
  onProgress: ((progress: LoadProgress) => void) | undefined,
  /** called with everything received so far, after each chunk */
  watch?: (arrived: Uint8Array) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  try {
    response = await fetch(url, { signal, cache });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ViewerError("network", error);
  }
  if (response.status === 403 || response.status === 410) throw new ViewerError("expired");
  if (!response.ok || !response.body) throw new ViewerError("network");
  const total = Number(response.headers.get("content-length") ?? 0) || 0;
  // of the announced size, enlarged if that was wrong
  let whole = new Uint8Array(Math.min(total, MOST_AHEAD) || FIRST_BYTES);
  let loaded = 0;
  const reader = response.body.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const piece = step.value;
      if (loaded + piece.length > whole.length) {
        const wider = new Uint8Array(Math.max(whole.length * 2, loaded + piece.length));
        wider.set(whole.subarray(0, loaded));
        whole = wider;
      }
      whole.set(piece, loaded);
      loaded += piece.length;
      onProgress?.({ loaded, total });
      watch?.(whole.subarray(0, loaded));
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ViewerError("network", error);
  }
  return loaded === whole.length ? whole : whole.slice(0, loaded);
}

export function isMesh(node: Object3D): node is Mesh {
  return (node as Mesh).isMesh === true;
}

export function materialsOf(node: Object3D): Material[] {
  const material = (node as Mesh).material as Material | Material[] | undefined;
  if (!material) return [];
  return Array.isArray(material) ? material : [material];
}

export function texturesOf(material: Material): Texture[] {
  const found: Texture[] = [];
  for (const value of Object.values(material)) {
    if (value && (value as Texture).isTexture) found.push(value as Texture);
  }
  return found;
}

/** Frees geometry, materials, textures and decoded images of everything below `root`. */
export function disposeTree(root: Object3D): void {
  const seen = new Set<unknown>();
  root.traverse((node) => {
    const mesh = node as Mesh;
    if (mesh.geometry && !seen.has(mesh.geometry)) {
      seen.add(mesh.geometry);
      mesh.geometry.dispose();
    }
    const skeleton = (node as { skeleton?: { dispose(): void } }).skeleton;
    if (skeleton && !seen.has(skeleton)) {
      seen.add(skeleton);
      skeleton.dispose();
    }
    for (const material of materialsOf(node)) {
      if (seen.has(material)) continue;
      seen.add(material);
      for (const texture of texturesOf(material)) {
        if (seen.has(texture)) continue;
        seen.add(texture);
        texture.dispose();
        const image = texture.source?.data as { close?: () => void } | undefined;
        image?.close?.();
      }
      material.dispose();
    }
  });
}
