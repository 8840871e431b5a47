import {
  BufferAttribute,
  BufferGeometry,
  type CompressedCubeTexture,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshStandardMaterial,
} from "three";
import { EMPTY_LIGHT } from "./prefilter";
import { environmentOf } from "./studio";

/**
 * One triangle as the engine writes stand-ins of models without textures, and a light of the stage's kind. Programs are compiled
 * for the types of the attributes, the material's features and the light's size.
 */
export function plainPart(): { part: Mesh; light: CompressedCubeTexture; dispose: () => void } {
  const geometry = new BufferGeometry();
  const places = new InterleavedBuffer(new Uint16Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]), 4);
  const normals = new InterleavedBuffer(new Int8Array([0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0]), 4);
  geometry.setAttribute("position", new InterleavedBufferAttribute(places, 3, 0, false));
  geometry.setAttribute("normal", new InterleavedBufferAttribute(normals, 3, 0, true));
  geometry.setIndex(new BufferAttribute(new Uint16Array([0, 1, 2]), 1));
  const material = new MeshStandardMaterial();
  const part = new Mesh(geometry, material);
  part.frustumCulled = false;
  const light = environmentOf(EMPTY_LIGHT);
  // The material stays: with the last one of its kind the program would go.
  const dispose = () => {
    geometry.dispose();
    light.dispose();
  };
  return { part, light, dispose };
}
