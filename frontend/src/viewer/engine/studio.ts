import {
  BackSide,
  BoxGeometry,
  CanvasTexture,
  Color,
  FrontSide,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  Scene,
  SRGBColorSpace,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from "three";

export type StudioPreset = "studio" | "soft" | "day" | "contrast";

/** One light panel: centre, size, colour, radiance (1 = display white). */
type Panel = readonly [
  position: readonly [number, number, number],
  size: readonly [number, number, number],
  colour: number,
  radiance: number,
];

const rooms: Record<StudioPreset, { wall: number; radiance: number; panels: readonly Panel[] }> = {
  studio: {
    wall: 0x8f9bb3,
    radiance: 0.42,
    panels: [
      [[0, 9.6, 0], [11, 0.2, 9], 0xffffff, 4.2],
      [[-9.6, 4, 4], [0.2, 8, 6], 0xfff4e8, 7],
      [[9.6, 3.5, -2], [0.2, 7, 4], 0xdfe9ff, 5.5],
      [[3, 3, -9.6], [9, 5, 0.2], 0xe8eeff, 3.2],
      [[0, -3.8, 0], [16, 0.2, 16], 0xb9c4dc, 0.5],
    ],
  },
  soft: {
    wall: 0xffffff,
    radiance: 0.85,
    panels: [
      [[0, 9.6, 0], [16, 0.2, 16], 0xffffff, 1.9],
      [[-9.6, 4, 0], [0.2, 10, 14], 0xffffff, 1.3],
    ],
  },
  day: {
    wall: 0x9cc4ff,
    radiance: 0.8,
    panels: [
      [[0, 9.6, 0], [18, 0.2, 18], 0xa9ceff, 1.5],
      [[6, 8, 6], [1.6, 1.6, 1.6], 0xfff0d2, 60],
      [[0, -3.8, 0], [18, 0.2, 18], 0xb8a98c, 0.55],
    ],
  },
  contrast: {
    wall: 0x2a3350,
    radiance: 0.22,
    panels: [
      [[-9.6, 3, 1], [0.2, 9, 3], 0xffffff, 14],
      [[9.6, 3, -4], [0.2, 8, 2], 0x86b6ff, 12],
      [[0, 9.6, -3], [8, 0.2, 1.4], 0xffffff, 6],
    ],
  },
};

/** Image-based lighting, generated: a room with light panels, prefiltered. No image is fetched. */
export function studioLight(renderer: WebGLRenderer, preset: StudioPreset): WebGLRenderTarget {
  const room = rooms[preset];
  const scene = new Scene();
  const box = new BoxGeometry(1, 1, 1);
  const materials: MeshBasicMaterial[] = [];
  const add = (colour: number, radiance: number, inside: boolean) => {
    const material = new MeshBasicMaterial({
      color: new Color(colour).multiplyScalar(radiance),
      side: inside ? BackSide : FrontSide,
    });
    materials.push(material);
    const mesh = new Mesh(box, material);
    scene.add(mesh);
    return mesh;
  };
  const shell = add(room.wall, room.radiance, true);
  shell.scale.set(20, 14, 20);
  shell.position.y = 3;
  for (const [position, size, colour, radiance] of room.panels) {
    const panel = add(colour, radiance, false);
    panel.position.set(...position);
    panel.scale.set(...size);
  }
  const generator = new PMREMGenerator(renderer);
  const target = generator.fromScene(scene, 0.035);
  generator.dispose();
  box.dispose();
  for (const material of materials) material.dispose();
  return target;
}

export type Backdrop = "dark" | "light" | "plain";

/** The background behind the model: a soft radial gradient, painted once. */
export function backdropTexture(kind: Backdrop): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 512;
  canvas.height = 512;
  const paint = canvas.getContext("2d");
  if (paint) {
    const [inner, middle, outer] =
      kind === "light"
        ? ["#FFFFFF", "#EEF1F6", "#D5DBE6"]
        : kind === "plain"
          ? ["#05070D", "#05070D", "#05070D"]
          : ["#222C46", "#141B2E", "#0B1020"];
    const glow = paint.createRadialGradient(256, 215, 20, 256, 256, 380);
    glow.addColorStop(0, inner);
    glow.addColorStop(0.55, middle);
    glow.addColorStop(1, outer);
    paint.fillStyle = glow;
    paint.fillRect(0, 0, 512, 512);
    // some noise against banding of the gradient on 8-bit displays
    const pixels = paint.getImageData(0, 0, 512, 512);
    for (let i = 0; i < pixels.data.length; i += 4) {
      const noise = (Math.random() - 0.5) * 3;
      for (let c = 0; c < 3; c += 1) pixels.data[i + c] = (pixels.data[i + c] ?? 0) + noise;
    }
    paint.putImageData(pixels, 0, 0);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
