import { type BufferAttribute, type MeshStandardMaterial, type Object3D, Vector2, Vector3 } from "three";
import { isMesh, materialsOf } from "./loader";

/** Maximum number of triangles sampled per mesh. */
const SAMPLES = 600;

/**
 * Texels of the base colour per unit of length, averaged over the surface; undefined if nothing has such a texture.
 * Determines the magnification that shows all of a texture's detail.
 */
export function texelDensity(root: Object3D): number | undefined {
  let texels = 0;
  let area = 0;
  root.updateWorldMatrix(true, true);
  root.traverse((node) => {
    if (!isMesh(node) || node.userData.helper === true) return;
    const map = (materialsOf(node)[0] as MeshStandardMaterial | undefined)?.map;
    const image = map?.image as { width?: number; height?: number } | undefined;
    const { position, uv } = node.geometry.attributes as Record<string, BufferAttribute | undefined>;
    if (!image?.width || !image.height || !position || !uv) return;
    const { index } = node.geometry;
    const count = Math.floor((index?.count ?? position.count) / 3);
    const step = Math.max(1, Math.floor(count / SAMPLES));
    const corner = (k: number) => index?.getX(k) ?? k;
    const points = [new Vector3(), new Vector3(), new Vector3()] as const;
    const places = [new Vector2(), new Vector2(), new Vector2()] as const;
    for (let t = 0; t < count; t += step) {
      for (const k of [0, 1, 2] as const) {
        const at = corner(t * 3 + k);
        points[k].fromBufferAttribute(position, at).applyMatrix4(node.matrixWorld);
        places[k].fromBufferAttribute(uv, at);
      }
      const world = points[1].sub(points[0]).cross(points[2].sub(points[0])).length() / 2;
      const [a, b] = [places[1].sub(places[0]), places[2].sub(places[0])];
      area += world * step;
      texels += (Math.abs(a.cross(b)) / 2) * image.width * image.height * step;
    }
  });
  return area > 0 && texels > 0 ? Math.sqrt(texels / area) : undefined;
}
