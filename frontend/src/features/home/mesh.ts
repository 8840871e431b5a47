/**
 * A trefoil knot as a triangle grid of any resolution, and its drawing on a 2D canvas: the model of the mesh reduction demo. All
 * its figures are counted from these arrays.
 */
export interface KnotMesh {
  /** x, y, z for each vertex. */
  positions: Float32Array;
  /** Three vertex indices for each triangle. */
  indices: Uint32Array;
}

const TUBE_RADIUS = 0.42;

function trefoil(t: number): [number, number, number] {
  return [
    (Math.sin(t) + 2 * Math.sin(2 * t)) / 2,
    (Math.cos(t) - 2 * Math.cos(2 * t)) / 2,
    -Math.sin(3 * t) / 1.6,
  ];
}

/** `along` rings of `around` vertices each; both wrap round, so there are along × around × 2 triangles. */
export function knot(along: number, around: number): KnotMesh {
  const positions = new Float32Array(along * around * 3);
  const indices = new Uint32Array(along * around * 6);
  for (let i = 0; i < along; i += 1) {
    const t = (i / along) * Math.PI * 2;
    const [cx, cy, cz] = trefoil(t);
    const [nx, ny, nz] = trefoil(t + 0.01);
    // A frame across the curve: its tangent and two vectors perpendicular to it.
    let tx = nx - cx;
    let ty = ny - cy;
    let tz = nz - cz;
    const tl = Math.hypot(tx, ty, tz);
    tx /= tl;
    ty /= tl;
    tz /= tl;
    let ax = ty;
    let ay = -tx;
    const az = 0;
    const al = Math.hypot(ax, ay) || 1;
    ax /= al;
    ay /= al;
    const bx = ty * az - tz * ay;
    const by = tz * ax - tx * az;
    const bz = tx * ay - ty * ax;
    for (let j = 0; j < around; j += 1) {
      const angle = (j / around) * Math.PI * 2;
      const u = Math.cos(angle) * TUBE_RADIUS;
      const v = Math.sin(angle) * TUBE_RADIUS;
      const at = (i * around + j) * 3;
      positions[at] = cx + ax * u + bx * v;
      positions[at + 1] = cy + ay * u + by * v;
      positions[at + 2] = cz + az * u + bz * v;
      const a = i * around + j;
      const b = ((i + 1) % along) * around + j;
      const c = ((i + 1) % along) * around + ((j + 1) % around);
      const d = i * around + ((j + 1) % around);
      indices.set([a, b, c, a, c, d], (i * around + j) * 6);
    }
  }
  return { positions, indices };
}

/** Size of the mesh as an uncompressed GLB: positions and normals as floats, indices as the smallest integers that fit. */
export function meshBytes(mesh: KnotMesh): number {
  const vertices = mesh.positions.length / 3;
  return vertices * 24 + mesh.indices.length * (vertices <= 65_535 ? 2 : 4);
}

export interface DrawOptions {
  yaw: number;
  pitch: number;
  /** Pixels for one unit of the model. */
  scale: number;
  centre: { x: number; y: number };
  /** Base colour as r, g, b from 0 to 255. */
  colour: readonly [number, number, number];
  /** Colour of the edges; missing: the surface alone. */
  edge?: string;
}

/** Painter's algorithm with one lamp; at most a few thousand triangles. */
export function drawMesh(context: CanvasRenderingContext2D, mesh: KnotMesh, options: DrawOptions): void {
  const { positions, indices } = mesh;
  const count = positions.length / 3;
  const projected = new Float32Array(positions.length);
  const cosY = Math.cos(options.yaw);
  const sinY = Math.sin(options.yaw);
  const cosP = Math.cos(options.pitch);
  const sinP = Math.sin(options.pitch);
  for (let i = 0; i < count; i += 1) {
    const x = positions[i * 3] ?? 0;
    const y = positions[i * 3 + 1] ?? 0;
    const z = positions[i * 3 + 2] ?? 0;
    const rx = x * cosY + z * sinY;
    const rz = -x * sinY + z * cosY;
    projected[i * 3] = rx;
    projected[i * 3 + 1] = y * cosP - rz * sinP;
    projected[i * 3 + 2] = y * sinP + rz * cosP;
  }
  const triangles = indices.length / 3;
  const order = new Array<number>(triangles);
  const depth = new Float32Array(triangles);
  for (let t = 0; t < triangles; t += 1) {
    order[t] = t;
    depth[t] =
      (projected[(indices[t * 3] ?? 0) * 3 + 2] ?? 0) +
      (projected[(indices[t * 3 + 1] ?? 0) * 3 + 2] ?? 0) +
      (projected[(indices[t * 3 + 2] ?? 0) * 3 + 2] ?? 0);
  }
  order.sort((left, right) => (depth[left] ?? 0) - (depth[right] ?? 0));
  const [red, green, blue] = options.colour;
  context.lineJoin = "round";
  context.lineWidth = 0.7;
  for (const t of order) {
    const a = (indices[t * 3] ?? 0) * 3;
    const b = (indices[t * 3 + 1] ?? 0) * 3;
    const c = (indices[t * 3 + 2] ?? 0) * 3;
    const ax = projected[a] ?? 0;
    const ay = projected[a + 1] ?? 0;
    const az = projected[a + 2] ?? 0;
    const ux = (projected[b] ?? 0) - ax;
    const uy = (projected[b + 1] ?? 0) - ay;
    const uz = (projected[b + 2] ?? 0) - az;
    const vx = (projected[c] ?? 0) - ax;
    const vy = (projected[c + 1] ?? 0) - ay;
    const vz = (projected[c + 2] ?? 0) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    if (nz <= 0) continue;
    const length = Math.hypot(nx, ny, nz) || 1;
    const light = Math.max(0, (nx * -0.35 + ny * 0.7 + nz * 0.62) / length);
    const shade = 0.34 + 0.66 * light;
    const glint = Math.max(0, light - 0.86) * 320;
    const fill = `rgb(${Math.min(255, red * shade + glint) | 0},${Math.min(255, green * shade + glint) | 0},${Math.min(255, blue * shade + glint) | 0})`;
    context.beginPath();
    context.moveTo(options.centre.x + ax * options.scale, options.centre.y - ay * options.scale);
    context.lineTo(
      options.centre.x + (projected[b] ?? 0) * options.scale,
      options.centre.y - (projected[b + 1] ?? 0) * options.scale,
    );
    context.lineTo(
      options.centre.x + (projected[c] ?? 0) * options.scale,
      options.centre.y - (projected[c + 1] ?? 0) * options.scale,
    );
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = options.edge ?? fill;
    context.stroke();
  }
}
