import { Box3, BoxGeometry, Group, LineSegments, Mesh, Points, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { STUDIO } from "@/facts/studio";
import { firstView, frameModel } from "./framing";
import { exposed } from "./light";

const degrees = ({ yaw, pitch }: { yaw: number; pitch: number }) =>
  [yaw, pitch].map((angle) => Math.round((angle * 180) / Math.PI));

describe("the first look", () => {
  it("is the engine's, by the shape of the model", () => {
    // the same figures as the test of `View::of` in crates/modelkit/src/render/camera.rs
    expect(degrees(firstView({ x: 1, y: 1, z: 1 }))).toEqual([33, 17]);
    expect(degrees(firstView({ x: 1, y: 0.1, z: 1 }))).toEqual([33, 38]);
    expect(degrees(firstView({ x: 1, y: 0.41, z: 0.8 }))).toEqual([33, 28]);
    expect(degrees(firstView({ x: 0.2, y: 1, z: 1 }))).toEqual([56, 17]);
    expect(degrees(firstView({ x: 1, y: 1, z: 0.2 }))).toEqual([24, 17]);
  });

  it("sees all of a model, in the middle of the picture", () => {
    const model = new Group();
    for (const x of [0, 5]) {
      const mesh = new Mesh(new BoxGeometry(2, 1 + x, 1));
      mesh.position.set(x, 0, 100);
      model.add(mesh);
    }
    model.updateMatrixWorld(true);
    const bounds = new Box3().setFromObject(model);
    const { eye, target, middle, extent } = frameModel([model], bounds);
    expect(target).toEqual(bounds.getCenter(new Vector3()));
    const radius = bounds.getSize(new Vector3()).length() / 2;
    expect(eye.distanceTo(target)).toBeCloseTo(radius / STUDIO.eye, 4);
    // no projection is larger than a ball of the model's radius
    for (const size of extent) expect(size).toBeLessThan(2.3 * STUDIO.eye);
    expect(Math.max(...extent)).toBeGreaterThan(STUDIO.eye);
    for (const at of middle) expect(Math.abs(at)).toBeLessThan(STUDIO.eye / 2);
  });
});

it("lines and points are seen as well", () => {
  const points = new Points(new BoxGeometry(2, 2, 2));
  const lines = new LineSegments(new BoxGeometry(2, 2, 2));
  for (const one of [points, lines]) {
    const { extent } = frameModel([one], new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)));
    expect(Math.max(...extent)).toBeGreaterThan(STUDIO.eye);
  }
});

describe("the light", () => {
  it("shows a white surface that faces the key light just below white", () => {
    const radiance = exposed(STUDIO);
    const { yaw, elevation, white } = STUDIO.exposure;
    const faces = new Vector3().setFromSphericalCoords(
      1,
      ((90 - elevation) * Math.PI) / 180,
      (yaw * Math.PI) / 180,
    );
    let sum = 0;
    const side = 160;
    for (let j = 0; j < side; j += 1) {
      for (let i = 0; i < side; i += 1) {
        const y = ((j + 0.5) / side) * 2 - 1;
        const d = new Vector3().setFromCylindricalCoords(
          Math.sqrt(1 - y * y),
          ((i + 0.5) / side) * 2 * Math.PI,
          y,
        );
        const light = radiance(d.x, d.y, d.z).reduce((a, b) => a + b) / 3;
        sum += light * Math.max(0, d.dot(faces));
      }
    }
    expect((sum * 4 * Math.PI) / (side * side) / Math.PI).toBeCloseTo(white, 1);
  });
});
