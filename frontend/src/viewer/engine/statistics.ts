import { Box3, type InstancedMesh, type Mesh, type Object3D, type Texture, Vector3 } from "three";
import { type FileCounts, materialsOf, texturesOf } from "./loader";

export interface ModelStatistics {
  nodes: number;
  meshes: number;
  triangles: number;
  vertices: number;
  lines: number;
  points: number;
  materials: number;
  textures: number;
  /** bytes of pixels in video memory, mip levels included */
  textureBytes: number;
  /** bytes of vertex and index buffers */
  geometryBytes: number;
  skinned: boolean;
  /** metres */
  size: [number, number, number];
}

export function trianglesOf(node: Object3D): number {
  const mesh = node as Mesh;
  if (!mesh.isMesh) return 0;
  const { geometry } = mesh;
  const all = geometry.index?.count ?? geometry.attributes.position?.count ?? 0;
  const drawn = Math.max(0, Math.min(geometry.drawRange.count, all - geometry.drawRange.start));
  const copies = (node as InstancedMesh).isInstancedMesh ? (node as InstancedMesh).count : 1;
  return Math.floor(drawn / 3) * copies;
}

/**
 * Counts what is actually drawn; shared geometry counts once in memory and once per use in triangles. Nodes, meshes and
 * materials are the file's, if it is known: a report of the same file counts these too.
 */
export function measureModel(root: Object3D, counts?: FileCounts): ModelStatistics {
  const geometries = new Set<unknown>();
  const materials = new Set<unknown>();
  const textures = new Set<Texture>();
  const result: ModelStatistics = {
    nodes: 0,
    meshes: 0,
    triangles: 0,
    vertices: 0,
    lines: 0,
    points: 0,
    materials: 0,
    textures: 0,
    textureBytes: 0,
    geometryBytes: 0,
    skinned: false,
    size: [0, 0, 0],
  };
  root.traverse((node) => {
    result.nodes += 1;
    const mesh = node as Mesh;
    const positions = mesh.geometry?.attributes?.position?.count ?? 0;
    if ((node as { isSkinnedMesh?: boolean }).isSkinnedMesh) result.skinned = true;
    if (mesh.isMesh) {
      result.meshes += 1;
      result.triangles += trianglesOf(node);
      result.vertices += positions;
    } else if ((node as { isLine?: boolean }).isLine) {
      result.lines += Math.max(0, positions - 1);
    } else if ((node as { isPoints?: boolean }).isPoints) {
      result.points += positions;
    }
    if (mesh.geometry && !geometries.has(mesh.geometry)) {
      geometries.add(mesh.geometry);
      for (const attribute of Object.values(mesh.geometry.attributes)) {
        result.geometryBytes += (attribute as { array?: ArrayBufferView }).array?.byteLength ?? 0;
      }
      result.geometryBytes += mesh.geometry.index?.array.byteLength ?? 0;
    }
    for (const material of materialsOf(node)) {
      materials.add(material);
      for (const texture of texturesOf(material)) textures.add(texture);
    }
  });
  result.materials = materials.size;
  const sources = new Set<unknown>();
  for (const texture of textures) {
    if (sources.has(texture.source)) continue;
    sources.add(texture.source);
    result.textureBytes += textureBytes(texture);
  }
  result.textures = sources.size;
  const size = new Box3().setFromObject(root).getSize(new Vector3());
  result.size = [size.x, size.y, size.z];
  return { ...result, ...counts };
}

function textureBytes(texture: Texture): number {
  const levels = (texture as { mipmaps?: { data?: ArrayBufferView }[] }).mipmaps ?? [];
  const compressed = levels.reduce((sum, level) => sum + (level.data?.byteLength ?? 0), 0);
  if (compressed > 0) return compressed;
  const image = texture.image as { width?: number; height?: number } | undefined;
  const pixels = (image?.width ?? 0) * (image?.height ?? 0) * 4;
  return texture.generateMipmaps ? Math.round((pixels * 4) / 3) : pixels;
}
