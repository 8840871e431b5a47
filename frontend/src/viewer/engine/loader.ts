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
import { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";
import { ViewerError } from "./errors";

export interface LoadedModel {
  root: Group;
  clips: AnimationClip[];
  /** bytes that crossed the wire */
  bytes: number;
}

export interface LoadProgress {
  loaded: number;
  /** 0 while the server does not tell */
  total: number;
}

let meshoptReady = false;

export interface Decoders {
  draco: DRACOLoader;
  ktx2: KTX2Loader;
  meshopt: typeof MeshoptDecoder;
  dispose(): void;
}

/** Draco and Basis textures are decoded in workers from decoders that this site serves itself; meshopt runs in two. */
export function makeDecoders(renderer: WebGLRenderer): Decoders {
  if (!meshoptReady && typeof Worker !== "undefined") {
    // biome-ignore lint/correctness/useHookAtTopLevel: the decoder's method, not a React hook
    MeshoptDecoder.useWorkers?.(2);
    meshoptReady = true;
  }
  const draco = new DRACOLoader().setWorkerLimit(2);
  const ktx2 = new KTX2Loader().setWorkerLimit(2).detectSupport(renderer);
  const dispose = () => {
    draco.dispose();
    ktx2.dispose();
  };
  return { draco, ktx2, meshopt: MeshoptDecoder, dispose };
}

export function makeGltfLoader(decoders: Decoders, manager?: LoadingManager): GLTFLoader {
  const loader = new GLTFLoader(manager);
  loader.setDRACOLoader(decoders.draco);
  loader.setKTX2Loader(decoders.ktx2);
  loader.setMeshoptDecoder(decoders.meshopt);
  return loader;
}

/** Reads GLB and glTF; pictures are decoded by the browser off the main thread. */
export class ModelLoader {
  private readonly decoders: Decoders;
  private readonly gltf: GLTFLoader;

  constructor(renderer: WebGLRenderer) {
    this.decoders = makeDecoders(renderer);
    this.gltf = makeGltfLoader(this.decoders);
  }

  async load(
    url: string,
    signal: AbortSignal,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<LoadedModel> {
    const buffer = await download(url, signal, onProgress);
    let parsed: { scene: Group; animations: AnimationClip[] };
    try {
      parsed = await this.gltf.parseAsync(buffer, LoaderUtils.extractUrlBase(url));
    } catch (error) {
      throw new ViewerError(error instanceof RangeError ? "memory" : "broken", error);
    }
    if (signal.aborted) {
      disposeTree(parsed.scene);
      throw new DOMException("aborted", "AbortError");
    }
    return { root: parsed.scene, clips: parsed.animations, bytes: buffer.byteLength };
  }

  dispose(): void {
    this.decoders.dispose();
  }
}

async function download(
  url: string,
  signal: AbortSignal,
  onProgress: (progress: LoadProgress) => void,
): Promise<ArrayBuffer> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ViewerError("network", error);
  }
  if (response.status === 403 || response.status === 410) throw new ViewerError("expired");
  if (!response.ok || !response.body) throw new ViewerError("network");
  const total = Number(response.headers.get("content-length") ?? 0) || 0;
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      chunks.push(step.value);
      loaded += step.value.length;
      onProgress({ loaded, total });
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ViewerError("network", error);
  }
  const whole = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole.buffer;
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

/** Frees geometry, materials, textures and decoded pictures of everything below `root`. */
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
