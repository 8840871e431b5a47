import { Vector2 } from "three";
import type { Stage } from "../engine/stage";

/** The longer side of an image, pixels. */
const LONG_SIDE = 2560;

/** Renders the view once at print resolution, and saves it as a PNG file. */
export async function saveImage(stage: Stage, fileName: string): Promise<void> {
  const { width, height } = stage.canvas;
  download(await pictureOf(stage, Math.max(LONG_SIDE, width, height), "image/png"), fileName);
}

/** Renders the view once, with the given longer side in pixels. */
export async function pictureOf(
  stage: Stage,
  longSide: number,
  type: "image/png" | "image/webp",
): Promise<Blob> {
  const { renderer } = stage;
  const size = renderer.getSize(new Vector2());
  const ratio = renderer.getPixelRatio();
  const limit = renderer.capabilities.maxTextureSize;
  const scale = Math.min(longSide, limit) / Math.max(size.x, size.y);
  try {
    renderer.setPixelRatio(Math.min(scale * stage.oversampling, limit / Math.max(size.x, size.y)));
    stage.drawNow();
    const picture =
      stage.oversampling === 1
        ? renderer.domElement
        : smaller(renderer.domElement, size.multiplyScalar(scale));
    const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, type));
    if (!blob) throw new Error("the browser could not encode the picture");
    return blob;
  } finally {
    renderer.setPixelRatio(ratio);
    stage.invalidate();
  }
}

function smaller(picture: HTMLCanvasElement, { x, y }: Vector2): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = Math.round(x);
  copy.height = Math.round(y);
  copy.getContext("2d")?.drawImage(picture, 0, 0, copy.width, copy.height);
  return copy;
}

function download(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
