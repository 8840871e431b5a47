import {
  BoxGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Path,
  Shape,
  SphereGeometry,
  TorusGeometry,
  Vector2,
} from "three";

/**
 * The mark as a model, built in code: six plates, each bored for a lens, around a dark block; the top plate is lifted. Half the
 * cube's edge is 1; y is up.
 */
const PLATE_HALF = 0.93;
const BORE = 0.6;
const THICKNESS = 0.12;
const LIFT = 0.3;
/** Edge of the dark block inside, just short of the plates. */
const CORE = 1.7;
const LENS_CURVE = 0.95;

/** Points of an arc, both ends included. */
function arc(x: number, y: number, radius: number, from: number, to: number, segments: number): Vector2[] {
  return Array.from({ length: segments + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / segments;
    return new Vector2(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  });
}

function plateGeometry(): ExtrudeGeometry {
  const s = PLATE_HALF;
  const r = 0.16;
  const quarter = Math.PI / 2;
  const shape = new Shape([
    ...arc(s - r, -s + r, r, -quarter, 0, 5),
    ...arc(s - r, s - r, r, 0, quarter, 5),
    ...arc(-s + r, s - r, r, quarter, Math.PI, 5),
    ...arc(-s + r, -s + r, r, Math.PI, Math.PI * 1.5, 5),
  ]);
  const bore = new Path(arc(0, 0, BORE, Math.PI * 2, (Math.PI * 2) / 48, 47));
  shape.holes.push(bore);
  return new ExtrudeGeometry(shape, {
    depth: THICKNESS,
    bevelEnabled: true,
    bevelThickness: 0.025,
    bevelSize: 0.025,
    bevelSegments: 2,
  });
}

/** A convex lens that fills the bore, its pole towards +z. */
function lensCap(): SphereGeometry {
  const angle = Math.asin((BORE - 0.02) / LENS_CURVE);
  const cap = new SphereGeometry(LENS_CURVE, 40, 10, 0, Math.PI * 2, 0, angle);
  cap.rotateX(Math.PI / 2);
  cap.translate(0, 0, 1 - 0.06 - LENS_CURVE * Math.cos(angle));
  return cap;
}

/** Rotations that turn a plate from +z to each of the six sides; the first faces up. */
const SIDES: readonly { x: number; y: number; lift: number }[] = [
  { x: -Math.PI / 2, y: 0, lift: LIFT },
  { x: 0, y: 0, lift: 0 },
  { x: 0, y: Math.PI / 2, lift: 0 },
  { x: 0, y: Math.PI, lift: 0 },
  { x: 0, y: -Math.PI / 2, lift: 0 },
  { x: Math.PI / 2, y: 0, lift: 0 },
];

export function buildLensCube(): Group {
  const plateMaterial = new MeshPhysicalMaterial({
    color: "#2E62FF",
    metalness: 0.1,
    roughness: 0.46,
    clearcoat: 0.25,
    clearcoatRoughness: 0.4,
  });
  const ringMaterial = new MeshStandardMaterial({ color: "#35C9C3", metalness: 0.85, roughness: 0.22 });
  const boltMaterial = new MeshStandardMaterial({ color: "#B9C6E8", metalness: 0.9, roughness: 0.3 });
  const glassMaterial = new MeshPhysicalMaterial({
    color: "#17BDB6",
    metalness: 0.2,
    roughness: 0.18,
    clearcoat: 0.8,
    clearcoatRoughness: 0.04,
    iridescence: 0.25,
    iridescenceIOR: 1.5,
    emissive: "#06525A",
  });
  const coreMaterial = new MeshStandardMaterial({ color: "#0B1A46", metalness: 0.3, roughness: 0.6 });

  const plate = plateGeometry();
  const ring = new TorusGeometry(BORE, 0.035, 8, 48);
  const lens = lensCap();
  const bolt = new CylinderGeometry(0.055, 0.055, 0.06, 6);

  const cube = new Group();
  for (const side of SIDES) {
    const face = new Group();
    const slab = new Mesh(plate, plateMaterial);
    slab.position.z = 1 - THICKNESS;
    const rim = new Mesh(ring, ringMaterial);
    rim.position.z = 1 + 0.025;
    face.add(slab, rim, new Mesh(lens, glassMaterial));
    for (const [bx, by] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      const head = new Mesh(bolt, boltMaterial);
      head.rotation.x = Math.PI / 2;
      head.position.set(bx * 0.74, by * 0.74, 1 + 0.04);
      face.add(head);
    }
    const turned = new Group();
    face.position.z = side.lift;
    turned.rotation.set(side.x, side.y, 0);
    turned.add(face);
    cube.add(turned);
  }
  cube.add(new Mesh(new BoxGeometry(CORE, CORE, CORE), coreMaterial));
  return cube;
}
