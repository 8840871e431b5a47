import { Box3, type Object3D } from "three";
import { isMesh, materialsOf } from "./loader";

/** A part of a model as referenced by a report; missing fields match anything. */
export interface ModelPlace {
  node?: string;
  mesh?: string;
  /** counted from 0 */
  meshIndex?: number;
  material?: string;
}

/** The loader's record of the mesh that an object came from. */
export interface FileMesh {
  index: number;
  name: string;
}

const nameOf = (node: Object3D): string =>
  typeof node.userData.name === "string" ? node.userData.name : node.name;

const meshOf = (node: Object3D) => node.userData.fileMesh as FileMesh | undefined;

/**
 * The objects at a place. A preview may have fewer nodes than its source: then the mesh's name decides. Of what is found, the part
 * with the place's material, if it has one.
 */
export function findPlace(root: Object3D, place: ModelPlace): Object3D[] {
  const all: Object3D[] = [];
  root.traverse((node) => {
    if (node !== root && node.userData.helper !== true) all.push(node);
  });
  const tests: ((node: Object3D) => boolean)[] = [];
  const { node, mesh, meshIndex, material } = place;
  if (node) tests.push((one) => nameOf(one) === node);
  if (mesh) tests.push((one) => meshOf(one)?.name === mesh || nameOf(one) === mesh);
  if (meshIndex !== undefined) tests.push((one) => meshOf(one)?.index === meshIndex);
  const dressed = (one: Object3D) => materialsOf(one).some((m) => m.name === material);
  for (const test of tests) {
    const found = all.filter(test);
    if (found.length === 0) continue;
    const parts = new Set<Object3D>();
    if (material) for (const one of found) one.traverse((part) => void (dressed(part) && parts.add(part)));
    return parts.size > 0 ? [...parts] : found;
  }
  return material ? all.filter(dressed) : [];
}

/** The box around the visible geometry of these objects; undefined if there is none. */
export function boxAround(objects: readonly Object3D[]): Box3 | undefined {
  const box = new Box3();
  for (const object of objects) {
    object.traverse((node) => {
      if (isMesh(node) && node.userData.helper !== true) box.union(new Box3().setFromObject(node, true));
    });
    // a joint or an empty node draws nothing, but has a position
    if (box.isEmpty()) box.expandByPoint(object.getWorldPosition(box.min.clone()));
  }
  return box.isEmpty() ? undefined : box;
}
